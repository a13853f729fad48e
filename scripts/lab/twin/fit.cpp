// Fits the network of games/chess/evaluation.py to labelled positions.
//
//     c++ -std=c++20 -O3 -march=native -fno-math-errno -pthread scripts/lab/twin/fit.cpp -o fit
//     fit learn DATA CHECKPOINT [NAME=VALUE ...]     one phase of the game, or all of them
//     fit write NETWORK CHECKPOINT ...               a network file from one checkpoint per phase
//
// DATA is a text of scripts/lab/chess_data.py, or, if its name ends in .bin, an array of Records.
// CHECKPOINT stores the weights and the state of the optimizer after each epoch; a run resumes from
// it.  Values: epochs, threads, rate, decay, seed; units (only for a new network);
//     pieces=22,27    learn one phase: positions with this many pieces, or one more or fewer
//     from=FILE       begin with the weights of a network file or of another checkpoint
//     positions=N     read only the first N positions of the phase
//     held_out=40     the first of this many parts measures the loss and is not learned from
//     share=0.9       weight of the score in a label; the game's result has the rest
//     scale=340       the score of a label that means a winning chance of 73 %, in centipawns
//
// The loss is the squared difference between the winning chances of the network and of the label.
// The method is Adam (Kingma, Ba 2014) on batches, the rate falling to a fiftieth along a cosine.
// The units of a block are computed for a whole batch at once, so that their weights stay in the
// processor's second cache; each thread takes some of the blocks.

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <functional>
#include <iostream>
#include <iterator>
#include <map>
#include <random>
#include <sstream>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

using std::string, std::vector;
using Vector = float __attribute__((vector_size(64)));
using Flags = int8_t __attribute__((vector_size(16)));    // which numbers of a Vector are positive

constexpr int LANES = 16, PARTS = 2, BLOCK = LANES * PARTS;    // units of a Vector, of a block
constexpr int INPUTS = 768, ROWS = INPUTS + 1, MAX_PIECES = 64, OVERLAP = 1, BATCH = 16384;
constexpr int UNIT = 3, LINEAR_BIAS = 1 << 14;    // as in games/chess/evaluation.py
constexpr float SCALE = 340;                      // centipawns for a chance of 73 %
constexpr float PIECE_VALUES[6] = {100, 320, 330, 500, 950, 0};

struct Block {
    Vector part[PARTS];
};

// ---- positions --------------------------------------------------------------------------------

struct Record {
    uint64_t occupied;
    uint8_t pieces[32];    // on the occupied squares from a1 on: indices in PNBRQKpnbrqk, two per
                           // byte, the first in the low half
    int16_t score;         // centipawns for the side to move
    uint8_t black;         // is Black to move?
    uint8_t count;         // of pieces
    uint8_t result;        // White's, in half points
    uint8_t unused[3];

    int piece(int number) const { return pieces[number / 2] >> number % 2 * 4 & 15; }
};

Record read_line(const string &line) {
    static const string PIECES = "PNBRQKpnbrqk";
    Record record{};
    vector<int> board(64, -1);
    size_t at = 0;
    for (int square = 56; line[at] != ' '; ++at)
        if (line[at] == '/') square -= 16;
        else if (isdigit(line[at])) square += line[at] - '0';
        else board[square++] = int(PIECES.find(line[at]));
    for (int square = 0; square < 64; ++square)
        if (board[square] >= 0) {
            record.occupied |= uint64_t(1) << square;
            record.pieces[record.count / 2] |= uint8_t(board[square] << record.count % 2 * 4);
            ++record.count;
        }
    record.black = line[at + 1] == 'b';
    size_t second = line.find('|', at) + 1;
    record.score = int16_t(atoi(line.c_str() + second));
    record.result = uint8_t(2 * atof(line.c_str() + line.find('|', second) + 1));
    return record;
}

vector<Record> read_positions(const string &path, size_t most, int fewest_pieces, int most_pieces) {
    std::ifstream file(path, std::ios::binary);
    if (!file) throw std::runtime_error("can't read " + path);
    vector<Record> found;
    auto take = [&](const Record &record) {
        if (fewest_pieces <= record.count && record.count <= most_pieces && found.size() < most)
            found.push_back(record);
    };
    if (path.size() > 4 && path.substr(path.size() - 4) == ".bin") {
        vector<Record> some(1 << 16);
        do {
            file.read(reinterpret_cast<char *>(some.data()), some.size() * sizeof(Record));
            size_t count = size_t(file.gcount()) / sizeof(Record);
            std::for_each(some.begin(), some.begin() + count, take);
        } while (file && found.size() < most);
    } else {
        for (string line; std::getline(file, line) && found.size() < most;)
            if (line[0] != '#') take(read_line(line));
    }
    if (found.empty()) throw std::runtime_error(path + " has no such positions");
    return found;
}

// ---- the network ------------------------------------------------------------------------------

struct Model {
    int units = 256;    // without the linear one
    int fewest = 0, most = MAX_PIECES;    // pieces on the board in this phase of the game
    int epoch = 0;
    long steps = 0;
    float tempo = 15;
    // For each block and the linear unit: the weights, then the moments of their gradients, row by
    // row of inputs; then the biases (the linear unit has none).
    vector<Block> blocks[3];
    vector<float> linear[3];

    int block_count() const { return units / BLOCK; }

    float &weight(int row, int unit) {
        if (unit == units) return linear[0][row];
        Block &block = blocks[0][size_t(unit / BLOCK) * ROWS + row];
        return reinterpret_cast<float *>(&block)[unit % BLOCK];
    }

    void clear() {
        for (int part = 0; part < 3; ++part) {
            blocks[part].assign(size_t(block_count()) * ROWS, Block{});
            linear[part].assign(ROWS, 0.0f);
        }
        steps = epoch = 0;
    }

    void begin(int seed) {
        std::mt19937 dice(static_cast<unsigned>(seed));
        std::uniform_real_distribution<float> uniform(-8, 8);
        clear();
        for (int input = 0; input < INPUTS; ++input) {
            int piece = input / 64;
            for (int unit = 0; unit < units; ++unit) weight(input, unit) = uniform(dice);
            weight(input, units) = (piece < 6 ? 0.5f : -0.5f) * PIECE_VALUES[piece % 6];
        }
        for (int unit = 0; unit < units; ++unit) weight(INPUTS, unit) = 10;
    }

    // Take over another model's weights.
    void take(const Model &other) {
        clear();
        tempo = other.tempo, blocks[0] = other.blocks[0], linear[0] = other.linear[0];
    }

    template <class Stream, class Change>
    void each_part(Stream &stream, Change change) {
        for (auto &part : blocks)
            change(stream, reinterpret_cast<char *>(part.data()), part.size() * sizeof(Block));
        for (auto &part : linear)
            change(stream, reinterpret_cast<char *>(part.data()), part.size() * sizeof(float));
    }

    void save(const string &path) {
        std::ofstream file(path + ".new", std::ios::binary);
        file << units << ' ' << fewest << ' ' << most << ' ' << epoch << ' ' << steps << ' ' << tempo << '\n';
        each_part(file,
                  [](auto &stream, char *bytes, size_t size) { stream.write(bytes, long(size)); });
        file.close();
        if (!file || rename((path + ".new").c_str(), path.c_str()))
            throw std::runtime_error("can't write " + path);
    }

    void load(std::ifstream &file, const string &path) {
        file >> units >> fewest >> most >> epoch >> steps >> tempo;
        file.get();
        int epochs = epoch;
        long steps_made = steps;
        clear();
        epoch = epochs, steps = steps_made;
        each_part(file,
                  [](auto &stream, char *bytes, size_t size) { stream.read(bytes, long(size)); });
        if (!file) throw std::runtime_error(path + " is damaged");
    }

    // Read the phase of a network file that has positions with `pieces` pieces.
    void load_network(std::ifstream &file, const string &path, int pieces) {
        string line;
        std::getline(file, line), std::getline(file, line);
        std::istringstream shape(line);
        shape >> units >> tempo;
        --units;
        int phase = 0, least;
        while (shape >> least && least > pieces) ++phase;
        clear();
        vector<int16_t> numbers(size_t(ROWS) * (units + 1));
        file.seekg(long(numbers.size()) * phase * 2, std::ios::cur);
        if (!file.read(reinterpret_cast<char *>(numbers.data()), long(numbers.size() * 2)))
            throw std::runtime_error(path + " is damaged");
        for (int row = 0; row < ROWS; ++row)
            for (int unit = 0; unit <= units; ++unit)
                weight(row, unit) = float(numbers[size_t(row) * (units + 1) + unit]) / UNIT;
        linear[0].back() = 0;
    }
};

Model load_model(const string &path, int pieces) {
    std::ifstream file(path, std::ios::binary);
    if (!file) throw std::runtime_error("can't read " + path);
    Model model;
    if (file.peek() == '#') model.load_network(file, path, pieces);
    else model.load(file, path);
    return model;
}

// ---- learning ---------------------------------------------------------------------------------

struct Terms {
    long epochs = 4, threads = 1, seed = 7, positions = 1000000000, held_out = 40;
    int units = 256, fewest = 0, most = MAX_PIECES;
    float rate = 0, decay = 1e-3f, share = 1, scale = SCALE;    // rate: centipawns per step
    string from;

    explicit Terms(std::map<string, string> values) {
        auto number = [&](const char *name, double usual) {
            string value = take(values, name);
            return value.empty() ? usual : atof(value.c_str());
        };
        epochs = long(number("epochs", epochs)), threads = long(number("threads", threads));
        seed = long(number("seed", seed)), positions = long(number("positions", positions));
        held_out = long(number("held_out", held_out)), units = int(number("units", units));
        from = take(values, "from");
        rate = float(number("rate", from.empty() ? 1.2 : 0.3));
        decay = float(number("decay", decay)), share = float(number("share", share));
        scale = float(number("scale", scale));
        string pieces = take(values, "pieces");
        if (sscanf(pieces.c_str(), "%d,%d", &fewest, &most) != 2 && !pieces.empty())
            throw std::runtime_error("pieces must be two numbers, as in 22,27");
        if (!values.empty()) throw std::runtime_error("unknown value: " + values.begin()->first);
        if (units < BLOCK || units % BLOCK)
            throw std::runtime_error("units must be a multiple of " + std::to_string(BLOCK));
    }

  private:
    static string take(std::map<string, string> &values, const char *name) {
        string value = values.count(name) ? values[name] : "";
        values.erase(name);
        return value;
    }
};

float chance(float score) {
    return 1 / (1 + std::exp(-std::max(-3000.0f, std::min(3000.0f, score)) / SCALE));
}

class Trainer {
    Model &model;
    const Terms &terms;
    const vector<Record> &positions;
    const int block_count;
    Block signs;
    vector<Block> gradient;    // sums of slopes
    vector<float> linear_gradient;
    // The inputs of the batch for each view, White's and Black's; at most 64 per position and view.
    size_t size = 0;
    vector<uint16_t> inputs[2];
    vector<int> counts, blacks;
    vector<float> labels, guesses, slopes,
        partial;             // partial: score by each block and the linear unit
    vector<Flags> active;    // of each block, position, view and part

    void in_parallel(int tasks, const std::function<void(int)> &run) const {
        vector<std::thread> threads;
        auto some = [&](int first) {
            for (int task = first; task < tasks; task += int(terms.threads)) run(task);
        };
        for (int number = 1; number < terms.threads; ++number) threads.emplace_back(some, number);
        some(0);
        for (std::thread &thread : threads) thread.join();
    }

    void fill(size_t place, const Record &record, bool exchanged) {
        uint64_t left = record.occupied;
        for (int number = 0; number < record.count; ++number, left &= left - 1) {
            int square = __builtin_ctzll(left) ^ (exchanged ? 7 : 0);
            for (int view = 0; view < 2; ++view) {
                int piece = (record.piece(number) + 6 * view) % 12;
                inputs[view][place * MAX_PIECES + number] =
                    uint16_t(piece * 64 + (square ^ (view ? 56 : 0)));
            }
        }
        float won = chance((record.black ? -record.score : record.score) * SCALE / terms.scale);
        counts[place] = record.count, blacks[place] = record.black;
        labels[place] = terms.share * won + (1 - terms.share) * float(record.result) / 2;
    }

    void sum_units(int block) {
        const Block *weights = &model.blocks[0][size_t(block) * ROWS];
        for (size_t place = 0; place < size; ++place) {
            Vector total{};
            for (int view = 0; view < 2; ++view) {
                Vector one = weights[INPUTS].part[0], two = weights[INPUTS].part[1];
                const uint16_t *from = &inputs[view][place * MAX_PIECES];
                for (int number = 0; number < counts[place]; ++number) {
                    const Block &row = weights[from[number]];
                    one += row.part[0], two += row.part[1];
                }
                Flags *flags = &active[((block * size + place) * 2 + view) * PARTS];
                flags[0] = __builtin_convertvector(one > 0, Flags);
                flags[1] = __builtin_convertvector(two > 0, Flags);
                Vector sum = (one > 0 ? one : Vector{}) * signs.part[0] +
                             (two > 0 ? two : Vector{}) * signs.part[1];
                total += view ? -sum : sum;
            }
            float sum = 0;
            for (int lane = 0; lane < LANES; ++lane) sum += total[lane];
            partial[block * BATCH + place] = sum;
        }
    }

    void sum_linear() {
        for (size_t place = 0; place < size; ++place) {
            float sum = 0;
            for (int number = 0; number < counts[place]; ++number)
                sum += model.linear[0][inputs[0][place * MAX_PIECES + number]] -
                       model.linear[0][inputs[1][place * MAX_PIECES + number]];
            partial[block_count * BATCH + place] = sum;
        }
    }

    // Compute `guesses`, the winning chances, of the batch; return the sum of the losses.
    double guess() {
        in_parallel(block_count + 1,
                    [&](int block) { block < block_count ? sum_units(block) : sum_linear(); });
        double loss = 0;
        for (size_t place = 0; place < size; ++place) {
            float score = blacks[place] ? -model.tempo : model.tempo;
            for (int block = 0; block <= block_count; ++block)
                score += partial[block * BATCH + place];
            guesses[place] = chance(score);
            loss += double(guesses[place] - labels[place]) * (guesses[place] - labels[place]);
        }
        return loss;
    }

    float *floats(vector<Block> &all, int block) const {
        return reinterpret_cast<float *>(&all[size_t(block) * ROWS]);
    }

    void learn_units(int block, float rate) {
        Block *sums = &gradient[size_t(block) * ROWS], bias{};
        std::fill(sums, sums + ROWS, Block{});
        for (size_t place = 0; place < size; ++place)
            for (int view = 0; view < 2; ++view) {
                float slope = view ? slopes[place] : -slopes[place];    // a flag is -1
                const Flags *flags = &active[((block * size + place) * 2 + view) * PARTS];
                Vector one = __builtin_convertvector(flags[0], Vector) * signs.part[0] * slope;
                Vector two = __builtin_convertvector(flags[1], Vector) * signs.part[1] * slope;
                bias.part[0] += one, bias.part[1] += two;
                const uint16_t *from = &inputs[view][place * MAX_PIECES];
                for (int number = 0; number < counts[place]; ++number) {
                    Block &row = sums[from[number]];
                    row.part[0] += one, row.part[1] += two;
                }
            }
        sums[INPUTS] = bias;
        step(floats(model.blocks[0], block), floats(model.blocks[1], block),
             floats(model.blocks[2], block), floats(gradient, block), size_t(ROWS) * BLOCK, rate,
             terms.decay);
    }

    void learn_linear(float rate) {
        std::fill(linear_gradient.begin(), linear_gradient.end(), 0.0f);
        for (size_t place = 0; place < size; ++place)
            for (int number = 0; number < counts[place]; ++number) {
                linear_gradient[inputs[0][place * MAX_PIECES + number]] += slopes[place];
                linear_gradient[inputs[1][place * MAX_PIECES + number]] -= slopes[place];
            }
        step(model.linear[0].data(), model.linear[1].data(), model.linear[2].data(),
             linear_gradient.data(), ROWS, rate, 0);
    }

    // Make one step of Adam.
    void step(float *weights, float *means, float *squares, const float *slope, size_t count,
              float rate, float decay) const {
        const float kept = 1 - rate * decay, tiny = 1e-9f;
        const float fix_mean = float(rate / (1 - std::pow(0.9, model.steps)));
        const float fix_square = float(1 / (1 - std::pow(0.999, model.steps)));
        for (size_t index = 0; index < count; ++index) {
            means[index] += 0.1f * (slope[index] - means[index]);
            squares[index] += 0.001f * (slope[index] * slope[index] - squares[index]);
            weights[index] =
                weights[index] * kept -
                fix_mean * means[index] / (std::sqrt(squares[index] * fix_square) + tiny);
        }
    }

    void learn_batch(float rate) {
        guess();
        float tempo_slope = 0;
        for (size_t place = 0; place < size; ++place) {
            slopes[place] =
                (guesses[place] - labels[place]) * guesses[place] * (1 - guesses[place]);
            tempo_slope += blacks[place] ? -slopes[place] : slopes[place];
        }
        ++model.steps;
        in_parallel(block_count + 1, [&](int block) {
            block < block_count ? learn_units(block, rate) : learn_linear(rate);
        });
        if (model.fewest == 0 && model.most == MAX_PIECES)
            model.tempo -= 40 * rate * tempo_slope / BATCH;
    }

  public:
    Trainer(Model &model, const Terms &terms, const vector<Record> &positions)
        : model(model),
          terms(terms),
          positions(positions),
          block_count(model.block_count()),
          gradient(model.blocks[0].size()),
          linear_gradient(ROWS),
          counts(BATCH),
          blacks(BATCH),
          labels(BATCH),
          guesses(BATCH),
          slopes(BATCH),
          partial(size_t(block_count + 1) * BATCH),
          active(size_t(block_count) * BATCH * 2 * PARTS) {
        for (int lane = 0; lane < LANES; ++lane)
            signs.part[0][lane] = signs.part[1][lane] = lane % 2 ? -1.0f : 1.0f;
        for (auto &view : inputs) view.resize(size_t(BATCH) * MAX_PIECES);
    }

    // Return the mean loss over the first `count` positions, times 1000.
    double loss(size_t count) {
        double sum = 0;
        for (size_t begin = 0; begin < count; begin += size) {
            size = std::min(size_t(BATCH), count - begin);
            for (size_t place = 0; place < size; ++place)
                fill(place, positions[begin + place], false);
            sum += guess();
        }
        return 1000 * sum / double(count);
    }

    // Learn once from all positions from `begin` on.
    void run_epoch(size_t begin) {
        vector<uint32_t> order(positions.size() - begin);
        for (size_t index = 0; index < order.size(); ++index)
            order[index] = uint32_t(begin + index);
        std::mt19937_64 dice(uint64_t(terms.seed + model.epoch));
        std::shuffle(order.begin(), order.end(), dice);
        size = BATCH;
        for (size_t at = 0; at + BATCH <= order.size(); at += BATCH) {
            uint64_t exchanged = 0;
            for (size_t place = 0; place < size; ++place) {
                if (place % 64 == 0) exchanged = dice();
                fill(place, positions[order[at + place]], exchanged >> place % 64 & 1);
            }
            double progress =
                (double(model.epoch) + double(at) / double(order.size())) / double(terms.epochs);
            learn_batch(
                float(terms.rate * (0.02 + 0.49 * (1 + std::cos(M_PI * std::min(progress, 1.0))))));
            if (at / BATCH % 20 == 0)
                fprintf(stderr, "\repoch %d: %zu of %zu ", model.epoch + 1, at, order.size());
        }
        ++model.epoch;
    }
};

// Return the checkpoint's model, else a new one with random weights or those of terms.from.
Model first_model(const string &checkpoint, const Terms &terms) {
    if (std::ifstream(checkpoint)) return load_model(checkpoint, 0);
    Model model, other;
    model.units = terms.units, model.fewest = terms.fewest, model.most = terms.most;
    if (!terms.from.empty()) {
        other = load_model(terms.from, terms.fewest);
        model.units = other.units;
    }
    if (terms.from.empty()) model.begin(int(terms.seed));
    else model.take(other);
    return model;
}

void learn(const string &data, const string &checkpoint, const Terms &terms) {
    Model model = first_model(checkpoint, terms);
    vector<Record> positions =
        read_positions(data, size_t(terms.positions), model.fewest - OVERLAP, model.most + OVERLAP);
    size_t held_out = positions.size() / size_t(terms.held_out);
    Trainer trainer(model, terms, positions);
    printf("%zu positions, loss %.3f\n", positions.size(), trainer.loss(held_out));
    fflush(stdout);
    while (model.epoch < terms.epochs) {
        trainer.run_epoch(held_out);
        printf("epoch %d of %ld: loss on held-out positions %.4f, tempo %.1f\n", model.epoch,
               terms.epochs, trainer.loss(held_out), double(model.tempo));
        fflush(stdout);
        model.save(checkpoint);
    }
}

// ---- the network file -------------------------------------------------------------------------

uint32_t checksum(const string &bytes) {    // CRC-32
    uint32_t rest = ~0u;
    for (unsigned char byte : bytes) {
        rest ^= byte;
        for (int bit = 0; bit < 8; ++bit) rest = rest >> 1 ^ (rest & 1 ? 0xEDB88320u : 0);
    }
    return ~rest;
}

void append_rows(string &content, Model &model) {
    auto append = [&](float number) {
        int rounded = std::max(-32767, std::min(32767, int(std::lround(number))));
        content += char(rounded & 255), content += char(rounded >> 8 & 255);
    };
    for (int row = 0; row < ROWS; ++row) {
        for (int unit = 0; unit < model.units; ++unit) append(model.weight(row, unit) * UNIT);
        append(row == INPUTS ? LINEAR_BIAS : model.weight(row, model.units) * UNIT);
    }
}

void write_network(const string &path, const vector<string> &checkpoints) {
    vector<Model> phases;
    for (const string &name : checkpoints) phases.push_back(load_model(name, 0));
    std::sort(phases.begin(), phases.end(),
              [](auto &one, auto &other) { return one.fewest > other.fewest; });
    std::ostringstream head;
    head << "# written by scripts/lab/twin/fit.cpp\n"
         << phases[0].units + 1 << ' ' << std::lround(phases[0].tempo);
    for (const Model &phase : phases) head << ' ' << phase.fewest;
    head << '\n';
    string content = head.str();
    for (Model &phase : phases) append_rows(content, phase);
    uint32_t sum = checksum(content);
    for (int byte = 0; byte < 4; ++byte) content += char(sum >> 8 * byte & 255);
    std::ofstream file(path, std::ios::binary);
    file << content;
    file.close();
    if (!file) throw std::runtime_error("can't write " + path);
}

int main(int count, char **words) try {
    string task = count > 3 ? words[1] : "";
    vector<string> rest(words + std::min(count, 3), words + count);
    if (task == "learn") {
        std::map<string, string> values;
        for (size_t index = 1; index < rest.size(); ++index)
            values[rest[index].substr(0, rest[index].find('='))] =
                rest[index].substr(rest[index].find('=') + 1);
        learn(words[2], rest[0], Terms(values));
    } else if (task == "write") {
        write_network(words[2], rest);
    } else {
        std::cerr << "usage: fit learn DATA CHECKPOINT [NAME=VALUE ...], or fit write NETWORK "
                     "CHECKPOINT ..."
                  << std::endl;
        return 2;
    }
} catch (const std::exception &error) {
    std::cerr << error.what() << std::endl;
    return 1;
}
