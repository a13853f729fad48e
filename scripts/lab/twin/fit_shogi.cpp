// Fits the weights of games/shogi/evaluation.py to the labelled positions of scripts/lab/shogi_data.py.
//
//     c++ -std=c++20 -O3 -march=native scripts/lab/twin/fit_shogi.cpp -o fit_shogi
//     ./fit_shogi SIZE BEFORE AFTER EPOCHS DATA...
//
// SIZE is 9 or 5.  BEFORE and AFTER are files of 16-bit numbers, unpacked; BEFORE holds the weights to
// begin with (scripts/lab/shogi_weights.py writes those set by hand, and packs the fitted ones).
// Every 20th position only measures the error, the difference of winning chances.  Only quiet
// positions are used: those in which the best move is neither a capture nor a promotion.

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <iostream>
#include <random>
#include <sstream>
#include <string>
#include <vector>

using std::string;
using std::vector;

constexpr int UNITS = 16, PIECES = 32, MAX_HAND = 18;
constexpr float STEPS = 3, TEMPO = 30, SCALE = 400;  // SCALE: centipawns of a logistic unit
int size, cells, inputs, kings;

struct View { int king; vector<uint16_t> features; };
struct Sample { View own, other; float score; };

int kind_of(char letter) { return string(".PLNSBRGK").find(char(toupper(letter))); }

// Reads an SFEN and the best move; false if the position isn't quiet.
bool read_sample(const string& line, Sample& sample) {
    std::istringstream words(line);
    string board, side, hands, number, bar, best;
    int score;
    if (!(words >> board >> side >> hands >> number >> bar >> score >> bar >> best)) return false;
    vector<int> squares(cells, 0);
    int row = size - 1, column = 0, promoted = 0;
    for (char c : board) {
        if (c == '/') { row--; column = 0; }
        else if (isdigit(c)) column += c - '0';
        else if (c == '+') promoted = 8;
        else { squares[row * size + column++] = kind_of(c) + promoted + (islower(c) ? 16 : 0); promoted = 0; }
    }
    if (best.size() < 4 || best.back() == '+') return false;
    if (best[1] != '@' && squares[(best[3] - '1') * size + best[2] - 'a']) return false;
    vector<std::pair<int, int>> in_hand;
    for (int count = 0; char c : hands) {
        if (isdigit(c)) count = 10 * count + c - '0';
        else if (c != '-') { in_hand.push_back({kind_of(c) + (islower(c) ? 16 : 0), count ? count : 1}); count = 0; }
    }
    for (int colour : {0, 16}) {  // the view of Black, then that of White
        View view{size / 2, {}};
        for (int at = 0; at < cells; at++)
            if (squares[at] == 8 + colour) view.king = colour ? cells - 1 - at : at;
        bool mirrored = 2 * (view.king % size) >= size;
        auto place = [&](int at) {
            at = colour ? cells - 1 - at : at;
            return mirrored ? at + size - 1 - 2 * (at % size) : at;
        };
        int king = mirrored ? view.king + size - 1 - 2 * (view.king % size) : view.king;
        view.king = king / size * ((size + 1) / 2) + king % size;
        for (int at = 0; at < cells; at++)
            if (squares[at]) view.features.push_back((squares[at] ^ colour) * cells + place(at));
        for (auto [piece, count] : in_hand)
            view.features.push_back(PIECES * cells + (piece ^ colour) * (MAX_HAND + 1) + count);
        ((side == "b") == (colour == 0) ? sample.own : sample.other) = view;
    }
    sample.score = std::clamp(score, -3000, 3000);
    return true;
}

// A weight with its sum of squared gradients (Adagrad).
struct Weight {
    float value = 0, squares = 1e-8f;
    void step(float gradient, float rate) {
        squares += gradient * gradient;
        value -= rate * gradient / std::sqrt(squares);
    }
};
vector<Weight> hidden, biases, shared, linear;
float rate = 1;

struct Sum { float units[UNITS]; float line; };

Sum forward(const View& view) {
    Sum sum{};
    for (int unit = 0; unit < UNITS; unit++) sum.units[unit] = biases[unit].value;
    const Weight* own = &linear[size_t(view.king) * inputs];
    for (int at : view.features) {
        sum.line += shared[at].value + own[at].value;
        for (int unit = 0; unit < UNITS; unit++) sum.units[unit] += hidden[at * UNITS + unit].value;
    }
    return sum;
}

float total(const Sum& sum) {
    float out = sum.line;
    for (int unit = 0; unit < UNITS; unit++) out += (unit % 2 ? -1 : 1) * std::max(sum.units[unit], 0.f);
    return out;
}

void backward(const View& view, const Sum& sum, float gradient) {
    Weight* own = &linear[size_t(view.king) * inputs];
    float units[UNITS];
    for (int unit = 0; unit < UNITS; unit++) {
        units[unit] = sum.units[unit] > 0 ? (unit % 2 ? -gradient : gradient) : 0;
        if (units[unit]) biases[unit].step(units[unit], 2 * rate);
    }
    for (int at : view.features) {
        shared[at].step(gradient, 6 * rate);
        own[at].step(gradient, 3 * rate);
        for (int unit = 0; unit < UNITS; unit++)
            if (units[unit]) hidden[at * UNITS + unit].step(units[unit], 4 * rate);
    }
}

float chance(float score) { return 1 / (1 + std::exp(-score / SCALE)); }

float predict(const Sample& sample, Sum& own, Sum& other) {
    own = forward(sample.own);
    other = forward(sample.other);
    return total(own) - total(other) + TEMPO;
}

double error(const vector<Sample>& samples) {
    double sum = 0;
    Sum own, other;
    for (auto& sample : samples) sum += std::pow(chance(predict(sample, own, other)) - chance(sample.score), 2);
    return std::sqrt(sum / samples.size());
}

int main(int count, char** words) {
    if (count < 6) { std::cerr << "usage: fit_shogi SIZE BEFORE AFTER EPOCHS DATA...\n"; return 2; }
    size = std::stoi(words[1]);
    cells = size * size, inputs = PIECES * (cells + MAX_HAND + 1), kings = size * ((size + 1) / 2);
    hidden.resize(inputs * UNITS), biases.resize(UNITS), shared.resize(inputs), linear.resize(size_t(kings) * inputs);
    vector<int16_t> numbers(inputs * UNITS + UNITS + size_t(kings) * inputs);
    std::ifstream before(words[2], std::ios::binary);
    before.read(reinterpret_cast<char*>(numbers.data()), numbers.size() * 2);
    size_t at = 0;
    std::mt19937 dice(76);
    std::uniform_real_distribution<float> noise(-6, 6);
    bool fresh = std::all_of(numbers.begin(), numbers.begin() + inputs * UNITS, [](int number) { return !number; });
    for (auto& weight : hidden) weight.value = fresh ? noise(dice) : numbers[at] / STEPS, at++;
    for (auto& weight : biases) weight.value = fresh ? 10 : numbers[at] / STEPS, at++;
    for (auto& weight : linear) weight.value = numbers[at++] / STEPS;

    vector<Sample> samples, held;
    for (int file = 5; file < count; file++) {
        std::ifstream data(words[file]);
        string line;
        for (Sample sample; std::getline(data, line);)
            if (read_sample(line, sample)) (samples.size() % 20 == held.size() % 20 && samples.size() / 20 > held.size() ? held : samples).push_back(sample);
    }
    std::cout << samples.size() << " positions, " << held.size() << " held out, error " << error(held) << std::endl;
    int epochs = std::stoi(words[4]);
    for (int epoch = 0; epoch < epochs; epoch++) {
        std::shuffle(samples.begin(), samples.end(), dice);
        rate = epoch < epochs / 2 ? 1 : std::max(0.05f, 2 - 2.f * epoch / epochs);
        double sum = 0;
        Sum own, other;
        for (auto& sample : samples) {
            float p = chance(predict(sample, own, other)), difference = p - chance(sample.score);
            sum += difference * difference;
            float gradient = difference * p * (1 - p);
            backward(sample.own, own, gradient);
            backward(sample.other, other, -gradient);
        }
        std::cout << "epoch " << epoch << " " << std::sqrt(sum / samples.size()) << " held out " << error(held) << std::endl;
    }
    at = 0;
    auto put = [&](float value) { numbers[at++] = int16_t(std::clamp(std::round(value * STEPS), -9000.f, 9000.f)); };
    // Clear the random weights that no position has trained.
    for (auto& weight : hidden) put(fresh && weight.squares < 1e-7f ? 0 : weight.value);
    for (auto& weight : biases) put(weight.value);
    for (int king = 0; king < kings; king++)
        for (int input = 0; input < inputs; input++) put(shared[input].value + linear[size_t(king) * inputs + input].value);
    std::ofstream(words[3], std::ios::binary).write(reinterpret_cast<char*>(numbers.data()), numbers.size() * 2);
}
