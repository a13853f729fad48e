// A twin of Plyglot's chess search: the same nodes, scores and lines, many times as fast.
//
// It repeats what games/chess and search do, so that thousands of games can measure a change
// before it is written in Python.  A change is one of the IDEAS below; by default the search is
// that of Python.  scripts/lab/compare_twin.py checks that the two agree.
//
//     c++ -std=c++20 -O3 -march=native -pthread scripts/lab/twin/twin.cpp -o twin
//     twin search games/chess < questions              questions as in tests/data/pinned.txt
//     twin match games/chess cost=5000 razor_margin=250 threads=8     with SPRT
//     twin match games/chess nodes=30000 network=new.bin              against the present weights
//     twin tune games/chess games=30000 rfp_margin:5 lmr_base:80      by SPSA, with these steps
//     twin threads games/chess depth=10 < positions    one process against two with one table
//     twin ideas                                       the parameters that a match can change
//
// Reading order: geometry, network, position, endgames, moves, table, search, root, match.

#include <algorithm>
#include <bit>
#include <chrono>
#include <cmath>
#include <condition_variable>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iostream>
#include <iterator>
#include <map>
#include <memory>
#include <mutex>
#include <numeric>
#include <random>
#include <set>
#include <sstream>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

using std::string, std::vector;
using Bits = uint64_t;
using Key = uint64_t;
using Lane = int16_t;

constexpr int WIN = 1073000000, MAX_SCORE = 1072000000, INFINITE_SCORE = WIN + 1;
constexpr int NO_SCORE = -WIN - 1000, ILLEGAL = WIN + 500;
constexpr int PAWN = 1, KNIGHT = 2, BISHOP = 3, ROOK = 4, QUEEN = 5, KING = 6, BLACK = 8;
constexpr int PIECE_VALUES[7] = {0, 100, 320, 330, 500, 950, 0};
constexpr int SEE_VALUES[8] = {0, 100, 320, 330, 500, 950, 20000, 0};
constexpr int PROMOTION_SHIFT = 12, EN_PASSANT = 1 << 15, CASTLING = 1 << 16;
constexpr int64_t SCORE = 1 << 20,
                  MOVE_MASK = SCORE - 1;    // the ordering score of a move lies above its bits
constexpr int MAX_PLY = 120, PLIES = 400, FIFTY_MOVES = 100, NO_LIMIT = 999;

// ---- ideas ------------------------------------------------------------------------------------

#define IDEAS(X)                                                                                 \
    X(rfp_margin, 41, "reverse futility: centipawns for each ply of depth")                      \
    X(rfp_depth, 7, "reverse futility: up to this depth")                                        \
    X(futility_base, 42, "futility: centipawns")                                                 \
    X(futility_step, 96, "futility: centipawns more for each ply of depth")                      \
    X(futility_depth, 4, "futility: up to this depth")                                           \
    X(late_moves, 100, "late move counts: hundredths of the default")                         \
    X(see_depth, 2, "captures that lose material are pruned up to this depth")                   \
    X(delta, 180, "delta pruning: centipawns")                                                   \
    X(lmr_base, 480, "reductions: thousandths of a ply")                                         \
    X(lmr_divisor, 1950, "reductions: thousandths of the divisor")                               \
    X(lmr_not_improving, 800, "reductions: more if the evaluation is not improving")             \
    X(lmr_pv, 550, "reductions: less in an open window and in check")                            \
    X(lmr_capture, 270, "reductions: less for captures")                                         \
    X(lmr_history, 2850, "reductions: the history that changes them by a ply")                   \
    X(extended_checks, 3, "checks are extended among this many moves")                           \
    X(null_base, 300, "null move: hundredths of a ply")                                          \
    X(null_divisor, 290, "null move: hundredths of the depth's divisor")                         \
    X(null_excess, 163, "null move: centipawns above beta for a ply")                            \
    X(iir_depth, 4, "internal iterative reduction: from this depth on")                          \
    X(bonus, 17, "history: for a cutoff, times the square of the depth")                         \
    X(max_bonus, 1400, "history: at most")                                                       \
    X(malus, 125, "history: hundredths of the bonus that the other moves lose")                  \
    X(window, 30, "half of the first aspiration window")                                         \
    X(razor_margin, 0, "razoring: centipawns below alpha for each ply of depth")                 \
    X(razor_depth, 3, "razoring: up to this depth")                                              \
    X(probcut_margin, 0, "ProbCut: centipawns above beta")                                       \
    X(probcut_depth, 5, "ProbCut: from this depth on")                                           \
    X(singular_depth, 0, "singular extensions: from this depth on")                              \
    X(singular_margin, 2, "singular extensions: centipawns for each ply of depth")               \
    X(continuation, 0, "continuation history in the order of moves: hundredths")                 \
    X(continuation_lmr, 0, "continuation history in reductions: hundredths")                     \
    X(capture_history, 0, "history in the order of captures: hundredths of a pawn at its most")  \
    X(correction_pawns, 0, "correction history by pawns: hundredths of the error")               \
    X(correction_material, 0, "correction history by material: hundredths of the error")         \
    X(correction_move, 0, "correction history by the last move: hundredths of the error")        \
    X(see_quiet_depth, 0, "quiet moves that lose material are pruned up to this depth")          \
    X(history_prune, 0, "quiet moves are pruned whose history is below minus this for each ply") \
    X(history_prune_depth, 3, "history pruning: up to this depth")                               \
    X(lmr_table_capture, 0, "reductions: more if the table's move is a capture")                 \
    X(lmr_table_exact, 0, "reductions: less if the table's score is exact")                      \
    X(lmr_no_table_move, 0, "reductions: more if the table has no move")                         \
    X(deeper_margin, 0, "a reduced move that beats the best by this is searched a ply deeper")

struct Ideas {
#define X(name, value, meaning) int name = value;
    IDEAS(X)
#undef X
    int &named(const string &wanted) {
#define X(name, value, meaning) \
    if (wanted == #name) return name;
        IDEAS(X)
#undef X
        throw std::invalid_argument("unknown idea: " + wanted);
    }

    void set(const string &word) {
        size_t at = word.find('=');
        named(word.substr(0, at)) = at == string::npos ? 0 : atoi(word.c_str() + at + 1);
    }

    int reductions[64][64] = {};

    void fill_reductions() {
        for (int depth = 1; depth < 64; ++depth)
            for (int number = 1; number < 64; ++number)
                reductions[depth][number] = int(
                    1024 * (lmr_base / 1000.0 + std::log(double(depth)) * std::log(double(number)) /
                                                    (lmr_divisor / 1000.0)));
    }
};

// At least as large as the moves of any position; filling it allocates no memory.
template <class T>
struct List {
    int count = 0;
    T at[256];
    T *begin() { return at; }
    T *end() { return at + count; }
    const T *begin() const { return at; }
    const T *end() const { return at + count; }
    bool empty() const { return !count; }
    void clear() { count = 0; }
    void push_back(T value) { at[count++] = value; }
    T back() const { return at[count - 1]; }
    void sort() { std::sort(begin(), end(), std::greater<>()); }
    template <class Unwanted>
    void drop(Unwanted unwanted) {
        count = int(std::remove_if(begin(), end(), unwanted) - at);
    }
};

using MoveList = List<int64_t>;    // with their ordering scores
using Tried = List<int>;

// ---- geometry ---------------------------------------------------------------------------------

struct Squares {    // of a ray or of leaps, nearest first
    int count = 0;
    int8_t at[8];
    const int8_t *begin() const { return at; }
    const int8_t *end() const { return at + count; }
    void add(int square) { at[count++] = int8_t(square); }
};

Squares rook_rays[64][4], bishop_rays[64][4], knight_leaps[64], king_leaps[64], pawn_attacks[2][64];
Squares ray_through[64][64];    // from the first through the second square to the edge
bool diagonal[64][64];          // the kind of that ray
Bits leaper_bits[16][64], empty_board[16][64], check_squares[64][16], quiet_targets[16][64];

constexpr Bits bit(int square) { return Bits(1) << square; }

int first_of(Bits bits) { return std::countr_zero(bits); }

Squares walk(int square, int file_step, int rank_step, int limit = 7) {
    Squares found;
    int file = square & 7, rank = square >> 3;
    while (found.count < limit) {
        file += file_step, rank += rank_step;
        if (file < 0 || file > 7 || rank < 0 || rank > 7) break;
        found.add(rank * 8 + file);
    }
    return found;
}

Squares leaps(int square, std::initializer_list<std::pair<int, int>> steps) {
    Squares found;
    for (auto [file, rank] : steps)
        for (int to : walk(square, file, rank, 1)) found.add(to);
    return found;
}

Bits bits_of(const Squares &squares) {
    Bits found = 0;
    for (int square : squares) found |= bit(square);
    return found;
}

Bits slide(const Squares (&rays)[4], Bits occupied) {
    Bits found = 0;
    for (const Squares &ray : rays)
        for (int square : ray) {
            found |= bit(square);
            if (occupied & bit(square)) break;
        }
    return found;
}

// A line through a square, for subtraction (o^(o-2r)): the squares below and above it.
struct Line4 {
    Bits lower[4], upper[4];
} line_masks[64];

Bits slider_attacks(int square, int first, Bits occupied) {
    Bits found = 0;
    const Line4 &line = line_masks[square];
    for (int way = first; way < first + 2; ++way) {
        Bits lower = line.lower[way] & occupied, upper = line.upper[way] & occupied;
        Bits below = ~Bits(0) << (63 - std::countl_zero(lower | 1)), above = upper & (~upper + 1);
        found |= (2 * above + below) & (line.lower[way] | line.upper[way]);
    }
    return found;
}

Bits rook_attacks(int square, Bits occupied) { return slider_attacks(square, 0, occupied); }
Bits bishop_attacks(int square, Bits occupied) { return slider_attacks(square, 2, occupied); }

Bits piece_attacks(int kind, int square, Bits occupied) {
    if (kind == BISHOP) return bishop_attacks(square, occupied);
    if (kind == ROOK) return rook_attacks(square, occupied);
    return bishop_attacks(square, occupied) | rook_attacks(square, occupied);
}

void fill_geometry() {
    constexpr int rook_steps[4][2] = {{0, 1}, {1, 0}, {0, -1}, {-1, 0}};
    constexpr int bishop_steps[4][2] = {{1, 1}, {1, -1}, {-1, -1}, {-1, 1}};
    for (int square = 0; square < 64; ++square) {
        for (int way = 0; way < 4; ++way) {
            rook_rays[square][way] = walk(square, rook_steps[way][0], rook_steps[way][1]);
            bishop_rays[square][way] = walk(square, bishop_steps[way][0], bishop_steps[way][1]);
            for (int to : rook_rays[square][way]) ray_through[square][to] = rook_rays[square][way];
            for (int to : bishop_rays[square][way])
                ray_through[square][to] = bishop_rays[square][way], diagonal[square][to] = true;
        }
        for (int way = 0; way < 2; ++way) {
            for (auto [rays, line] :
                 {std::pair(rook_rays[square], way), {bishop_rays[square], way + 2}})
                for (int end : {way, way + 2}) {
                    Bits squares = bits_of(rays[end]);
                    (squares >> square ? line_masks[square].upper
                                       : line_masks[square].lower)[line] |= squares;
                }
        }
        knight_leaps[square] =
            leaps(square, {{1, 2}, {2, 1}, {2, -1}, {1, -2}, {-1, -2}, {-2, -1}, {-2, 1}, {-1, 2}});
        king_leaps[square] =
            leaps(square, {{0, 1}, {1, 0}, {0, -1}, {-1, 0}, {1, 1}, {1, -1}, {-1, -1}, {-1, 1}});
        pawn_attacks[0][square] = leaps(square, {{-1, 1}, {1, 1}});
        pawn_attacks[1][square] = leaps(square, {{-1, -1}, {1, -1}});
        for (int side = 0; side < 2; ++side) {
            int colour = side * BLACK, ahead = side ? -8 : 8;
            leaper_bits[KNIGHT + colour][square] = bits_of(knight_leaps[square]);
            leaper_bits[KING + colour][square] = bits_of(king_leaps[square]);
            leaper_bits[PAWN + colour][square] = bits_of(pawn_attacks[side][square]);
            Bits pushes = 0;
            if (square + ahead >= 0 && square + ahead < 64) pushes |= bit(square + ahead);
            if (square >> 3 == (side ? 6 : 1)) pushes |= bit(square + 2 * ahead);
            if (square >> 3 == (side ? 1 : 6)) pushes |= leaper_bits[PAWN + colour][square];
            quiet_targets[PAWN + colour][square] = pushes;
            for (int kind = KNIGHT; kind <= KING; ++kind) {
                Bits reach = kind == KNIGHT || kind == KING ? leaper_bits[kind][square]
                                                            : piece_attacks(kind, square, 0);
                quiet_targets[kind + colour][square] = empty_board[kind + colour][square] = reach;
            }
            empty_board[PAWN + colour][square] = leaper_bits[PAWN + colour][square];
        }
    }
    for (int king = 0; king < 64; ++king) {
        for (int kind = KNIGHT; kind < KING; ++kind)
            check_squares[king][kind] = check_squares[king][kind + BLACK] =
                quiet_targets[kind][king];
        check_squares[king][PAWN] = bits_of(pawn_attacks[1][king]) | Bits(0xFF) << 56;
        check_squares[king][PAWN + BLACK] = bits_of(pawn_attacks[0][king]) | 0xFF;
    }
}

Key piece_keys[16][64], castling_keys[16], en_passant_keys[65], side_key;

void fill_keys() {
    Key seed = 20;
    auto next = [&] {
        seed += 0x9E3779B97F4A7C15;
        Key mixed = (seed ^ seed >> 30) * 0xBF58476D1CE4E5B9;
        mixed = (mixed ^ mixed >> 27) * 0x94D049BB133111EB;
        return (mixed ^ mixed >> 31) >> 2;
    };
    for (auto &keys : piece_keys)
        for (Key &key : keys) key = next();
    for (int right = 1; right < 16; right *= 2) {
        Key key = next();
        for (int rights = 0; rights < 16; ++rights)
            if (rights & right) castling_keys[rights] ^= key;
    }
    for (int file = 0; file < 8; ++file) {
        Key key = next();
        for (int square = file; square < 64; square += 8) en_passant_keys[square] = key;
    }
    side_key = next();
}

Key en_passant_key(int square) { return square < 0 ? 0 : en_passant_keys[square]; }

// ---- the network: games/chess/evaluation.py ---------------------------------------------------

string read_file(const string &path) {
    std::ifstream file(path, std::ios::binary);
    if (!file) throw std::runtime_error("can't read " + path);
    return {std::istreambuf_iterator<char>(file), {}};
}

// What a piece adds to an accumulator: units for White's view, and units for Black's.
struct Feature {
    const Lane *white, *black;
};

struct Network {
    static constexpr int INPUTS = 12 * 64, HALF = 32768, MODULUS = 65537, UNIT = 3;
    static constexpr size_t ROWS = INPUTS + 1;
    int units, tempo;
    int half, lanes;    // of a side, with empty ones at its end; of both sides
    int phase_of[33];
    vector<Lane> weights;    // phase by phase: a row for each input; biases
    vector<Lane> signs, zeros;
    Feature nothing;

    explicit Network(const string &path) {
        string content = read_file(path), text;
        size_t end = 0;
        for (int line = 0; line < 2 && end != string::npos; ++line)
            end = content.find('\n', end + (line > 0));
        std::istringstream head(content.substr(0, end));
        std::getline(head, text), std::getline(head, text);
        std::istringstream shape(text);
        vector<int> fewest;
        shape >> units >> tempo;
        for (int count = -1; count && shape >> count;) fewest.push_back(count);
        if (!shape) throw std::runtime_error(path + " is damaged");
        half = (units + 15) / 16 * 16, lanes = 2 * half;
        signs.resize(half), zeros.resize(half);
        nothing = {zeros.data(), zeros.data()};
        for (int unit = 0; unit < units; ++unit) signs[unit] = unit % 2 ? -1 : 1;
        size_t rows = fewest.size() * ROWS, width = units * sizeof(Lane);
        if (content.size() < end + 1 + rows * width) throw std::runtime_error(path + " is damaged");
        weights.resize(rows * half);
        for (size_t row = 0; row < rows; ++row)
            std::memcpy(&weights[row * half], &content[end + 1 + row * width], width);
        for (size_t phase = 0, most = 32; phase < fewest.size(); most = fewest[phase++] - 1)
            std::fill(phase_of + fewest[phase], phase_of + most + 1, int(phase));
    }

    // The weights of a board with `count` pieces.
    const Lane *phase(int count) const { return &weights[phase_of[count] * ROWS * half]; }

    Feature feature(const Lane *phase, int piece, int square) const {
        int kind = (piece & 7) - 1, black = piece >> 3;
        return {phase + ((kind + 6 * black) * 64 + square) * half,
                phase + ((kind + 6 * !black) * 64 + (square ^ 56)) * half};
    }

    void accumulate(const int *board, Lane *out) const {
        accumulate(board, phase(64 - int(std::count(board, board + 64, 0))), out);
    }

    void accumulate(const int *board, const Lane *phase, Lane *out) const {
        const Lane *biases = phase + INPUTS * half;
        std::copy_n(biases, half, out), std::copy_n(biases, half, out + half);
        for (int square = 0; square < 64; ++square)
            if (board[square]) add(out, feature(phase, board[square], square), nothing, nothing);
    }

    void add(Lane *out, Feature plus, Feature minus, Feature minus_too) const {
        for (int lane = 0; lane < half; ++lane)
            out[lane] =
                Lane(out[lane] + plus.white[lane] - minus.white[lane] - minus_too.white[lane]);
        out += half;
        for (int lane = 0; lane < half; ++lane)
            out[lane] =
                Lane(out[lane] + plus.black[lane] - minus.black[lane] - minus_too.black[lane]);
    }

    // The score for the side to move after the features `plus` are added and `minus` removed.
    int score(const Lane *from, Feature plus, Feature minus, Feature minus_too, int side) const {
        int total = 0;
        const Lane *sign = signs.data(), *from_black = from + half;
        for (int lane = 0; lane < half; ++lane) {
            Lane white = Lane(from[lane] + plus.white[lane] - minus.white[lane] -
                              minus_too.white[lane]);
            Lane black = Lane(from_black[lane] + plus.black[lane] - minus.black[lane] -
                              minus_too.black[lane]);
            total += (int(white > 0 ? white : Lane(0)) - int(black > 0 ? black : Lane(0))) *
                     int(sign[lane]);
        }
        total = ((total + HALF) % MODULUS + MODULUS) % MODULUS - HALF;
        if (side) total = -total;
        return (total >= 0 ? total / UNIT : -((UNIT - 1 - total) / UNIT)) + tempo;
    }

    int score(const Lane *from, int side) const {
        return score(from, nothing, nothing, nothing, side);
    }
};

// ---- the position: games/chess/position.py, fen.py, attacks.py, moves.py ----------------------

constexpr char LETTERS[] = ".PNBRQK..pnbrqk";

string square_name(int square) { return {char('a' + (square & 7)), char('1' + (square >> 3))}; }

std::pair<int, int> castling_targets(int king, int rook) {
    int rank = king & 56;
    return rook > king ? std::pair(rank + 6, rank + 5) : std::pair(rank + 2, rank + 3);
}

struct CastlingMove {
    int right, king, rook;
    Bits empty, path;
};

struct Undo {
    int move, captured, rights, ep, halfmove_clock;
    Key key;
};

struct Position {
    int board[64] = {}, kings[2] = {}, side = 0, rights = 0, ep = -1, halfmove_clock = 0;
    Bits colours[2] = {}, pieces[16] = {};
    Key key = 0;
    bool chess960 = false;
    int kept[64];
    vector<CastlingMove> castling[2];
    vector<Undo> stack;

    explicit Position(const string &fen, bool chess960 = false) : chess960(chess960) {
        std::istringstream fields(fen);
        string rows, turn, castle, passed;
        fields >> rows >> turn >> castle >> passed >> halfmove_clock;
        int square = 56;
        for (char letter : rows) {
            if (letter == '/') square -= 16;
            else if (isdigit(letter)) square += letter - '0';
            else put(int(strchr(LETTERS, letter) - LETTERS), square++);
        }
        side = turn == "b";
        read_castling(castle);
        if (passed.size() == 2) read_en_passant(passed);
        key = castling_keys[rights] ^ en_passant_key(ep) ^ (side ? side_key : 0);
        for (int at = 0; at < 64; ++at)
            if (board[at]) key ^= piece_keys[board[at]][at];
    }

    void read_castling(const string &text) {
        std::map<int, int> rooks;
        std::fill_n(kept, 64, 15);
        for (char letter : text) {
            if (letter == '-') continue;
            int owner = isupper(letter) ? 0 : 1, king = kings[owner], lower = tolower(letter),
                rook = -1;
            auto is_rook = [&](int square) { return board[square] == ROOK + BLACK * owner; };
            if (lower == 'k') {
                for (int at = king + 1; at <= (king | 7); ++at)
                    if (is_rook(at)) rook = at;
            } else if (lower == 'q') {
                for (int at = king - 1; at >= (king & 56); --at)
                    if (is_rook(at)) rook = at;
            } else rook = 56 * owner + lower - 'a';
            rooks[(rook > king ? 1 : 2) << 2 * owner] = rook;
        }
        for (auto [right, rook] : rooks) {
            int owner = right < 4 ? 0 : 1, king = kings[owner];
            auto [king_to, rook_to] = castling_targets(king, rook);
            Bits path = 0, crossed = 0;
            for (int at = std::min(king, king_to); at <= std::max(king, king_to); ++at)
                path |= bit(at);
            for (int at = std::min(rook, rook_to); at <= std::max(rook, rook_to); ++at)
                crossed |= bit(at);
            castling[owner].push_back(
                {right, king, rook, (path | crossed) & ~bit(king) & ~bit(rook), path});
            kept[king] &= ~right, kept[rook] &= ~right, rights |= right;
        }
    }

    void read_en_passant(const string &text) {
        int square = text[0] - 'a' + 8 * (text[1] - '1'), step = side ? -8 : 8;
        if (!board[square] && !board[square + step] &&
            board[square - step] == PAWN + (side ? 0 : BLACK) &&
            can_capture_en_passant(side, square))
            ep = square;
    }

    // -- the board --

    void put(int piece, int square) {
        board[square] = piece;
        colours[piece >> 3] |= bit(square), pieces[piece] |= bit(square);
        if ((piece & 7) == KING) kings[piece >> 3] = square;
    }

    void take(int square) {
        int piece = board[square];
        board[square] = 0;
        colours[piece >> 3] ^= bit(square), pieces[piece] ^= bit(square);
    }

    Bits occupied() const { return colours[0] | colours[1]; }
    int count() const { return std::popcount(occupied()); }

    bool is_attacked(int square, int by) const { return attacked(square, by, occupied()); }

    bool attacked(int square, int by, Bits occupied) const {
        int colour = by * BLACK;
        Bits queens = pieces[QUEEN + colour];
        return leaper_bits[KNIGHT][square] & pieces[KNIGHT + colour] ||
               leaper_bits[PAWN + BLACK * !by][square] & pieces[PAWN + colour] ||
               leaper_bits[KING][square] & pieces[KING + colour] ||
               rook_attacks(square, occupied) & (pieces[ROOK + colour] | queens) ||
               bishop_attacks(square, occupied) & (pieces[BISHOP + colour] | queens);
    }

    bool in_check() const { return is_attacked(kings[side], side ^ 1); }

    // The squares where a piece ends the check to the king; 0 in double check.
    Bits check_mask(int king, int owner) const {
        int colour = owner ? 0 : BLACK;
        Bits mask = leaper_bits[KNIGHT][king] & pieces[KNIGHT + colour];
        if (Bits pawns = leaper_bits[PAWN + BLACK * owner][king] & pieces[PAWN + colour])
            mask = pawns;
        if (std::popcount(mask) > 1) mask = bit(63 - std::countl_zero(mask));
        for (auto [rays, slider] : {std::pair(rook_rays[king], ROOK), {bishop_rays[king], BISHOP}})
            for (int way = 0; way < 4; ++way) {
                Bits line = 0;
                for (int near : rays[way]) {
                    line |= bit(near);
                    int piece = board[near];
                    if (!piece) continue;
                    if (piece == slider + colour || piece == QUEEN + colour) {
                        if (mask) return 0;
                        mask = line;
                    }
                    break;
                }
            }
        return mask;
    }

    // Does a piece that leaves `start` open its line to the king of `owner` for an enemy slider?
    bool discovers_attack(int king, int start, int to, int owner) const {
        for (int square : ray_through[king][start]) {
            if (square == to) return false;
            if (board[square] && square != start) {
                int piece = board[square];
                return piece >> 3 != owner &&
                       ((piece & 7) == QUEEN ||
                        (piece & 7) == (diagonal[king][start] ? BISHOP : ROOK));
            }
        }
        return false;
    }

    // Does a plain move, not yet made, leave the king attacked?
    bool illegal(int king, int start, int to, int owner, bool check) const {
        if (!check && start != king) return discovers_attack(king, start, to, owner);
        Bits then = (occupied() & ~bit(start)) | bit(to);
        int square = start == king ? to : king, by = owner ^ 1, colour = by * BLACK;
        Bits left = ~bit(to), queens = pieces[QUEEN + colour] & left;
        return leaper_bits[KNIGHT][square] & pieces[KNIGHT + colour] & left ||
               leaper_bits[PAWN + BLACK * owner][square] & pieces[PAWN + colour] & left ||
               leaper_bits[KING][square] & pieces[KING + colour] & left ||
               rook_attacks(square, then) & ((pieces[ROOK + colour] & left) | queens) ||
               bishop_attacks(square, then) & ((pieces[BISHOP + colour] & left) | queens);
    }

    bool gives_check(int king, int move, int placed, int owner) const {
        if (move >= EN_PASSANT) return is_attacked(king, owner ^ 1);
        int start = move & 63, to = move >> 6 & 63;
        if (empty_board[placed][to] & bit(king)) {
            bool blocked = false;
            for (int square : ray_through[to][king])
                if (board[square]) {
                    if (square == king) return true;
                    blocked = true;
                    break;
                }
            if (!blocked) return true;
        }
        return discovers_attack(king, start, to, owner);
    }

    // -- promotions, en passant captures and castling, for the search --

    struct Made {
        int captured, square, piece, placed;
        Key key;
    };

    Made special(int owner, int move, Key keys) {
        int start = move & 63, to = move >> 6 & 63, piece = board[start];
        keys ^= piece_keys[piece][start];
        if (move & CASTLING) {
            int rook = board[to];
            auto [king_to, rook_to] = castling_targets(start, to);
            keys ^= piece_keys[rook][to] ^ piece_keys[rook][rook_to] ^ piece_keys[piece][king_to];
            take(start), take(to);
            put(piece, king_to), put(rook, rook_to);
            return {rook, to, piece, piece, keys};
        }
        int square = !(move & EN_PASSANT) ? to : owner ? to + 8 : to - 8, captured = board[square];
        if (captured) take(square), keys ^= piece_keys[captured][square];
        int kind = move >> PROMOTION_SHIFT & 7, placed = kind ? kind + owner * BLACK : piece;
        take(start);
        put(placed, to);
        return {captured, square, piece, placed, keys ^ piece_keys[placed][to]};
    }

    void restore(int move, const Made &made) {
        int start = move & 63, to = move >> 6 & 63;
        if (move & CASTLING) {
            auto [king_to, rook_to] = castling_targets(start, to);
            take(king_to), take(rook_to);
            put(made.piece, start), put(made.captured, to);
            return;
        }
        take(to);
        put(made.piece, start);
        if (made.captured) put(made.captured, made.square);
    }

    // Square of a legal en passant capture by the opponent of `owner`; -1 without a double push.
    int en_passant_square(int owner, int start, int to) {
        int square = (start + to) >> 1;
        return abs(to - start) == 16 && can_capture_en_passant(owner ^ 1, square) ? square : -1;
    }

    bool can_capture_en_passant(int owner, int square) {
        for (int from : pawn_attacks[owner ^ 1][square]) {
            if (board[from] != PAWN + owner * BLACK) continue;
            int move = EN_PASSANT | square << 6 | from;
            Made made = special(owner, move, 0);
            bool legal = !is_attacked(kings[owner], owner ^ 1);
            restore(move, made);
            if (legal) return true;
        }
        return false;
    }

    // -- moves: games/chess/movegen.py; each with its ordering score above it --

    void captures(int owner, int passed, MoveList &out) const {
        constexpr int64_t victims[8] = {0, 16, 48, 48, 80, 144, 1024, 0};
        constexpr int64_t queening = (QUEEN << PROMOTION_SHIFT) + 8 * 16 * SCORE;
        Bits enemy = colours[owner ^ 1], all = occupied();
        for (Bits own = colours[owner]; own; own &= own - 1) {
            int square = first_of(own), kind = board[square] & 7;
            bool leaper = kind == PAWN || kind == KNIGHT || kind == KING;
            Bits to_bits = enemy & (leaper ? leaper_bits[board[square]][square]
                                           : piece_attacks(kind, square, all));
            bool promotes = kind == PAWN && square >> 3 == (owner ? 1 : 6);
            for (; to_bits; to_bits &= to_bits - 1) {
                int to = first_of(to_bits);
                out.push_back((victims[board[to] & 7] - kind) * SCORE + (to << 6 | square) +
                              (promotes ? queening : 0));
            }
            int ahead = owner ? square - 8 : square + 8;
            if (promotes && !board[ahead]) out.push_back(queening + (ahead << 6 | square));
        }
        if (passed >= 0)
            for (int square : pawn_attacks[owner ^ 1][passed])
                if (board[square] == PAWN + owner * BLACK)
                    out.push_back(15 * SCORE + (EN_PASSANT | passed << 6 | square));
    }

    // Quiet moves and underpromotions to targets[piece]; order(piece, to) is their ordering score.
    template <class Order>
    void quiets(int owner, const Bits *targets, Order order, MoveList &out) const {
        Bits all = occupied();
        for (Bits own = colours[owner]; own; own &= own - 1) {
            int square = first_of(own), piece = board[square], kind = piece & 7;
            Bits wanted = targets ? targets[piece] : ~Bits(0);
            if (kind == PAWN) {
                pawn_quiets(owner, square, wanted, order, out);
                continue;
            }
            Bits to_bits = wanted & ~all &
                           (kind == KNIGHT || kind == KING ? leaper_bits[piece][square]
                                                           : piece_attacks(kind, square, all));
            for (; to_bits; to_bits &= to_bits - 1) {
                int to = first_of(to_bits);
                out.push_back(order(piece, to) + (to << 6 | square));
            }
        }
    }

    template <class Order>
    void pawn_quiets(int owner, int square, Bits wanted, Order order, MoveList &out) const {
        int piece = PAWN + owner * BLACK, step = owner ? -8 : 8, to = square + step;
        if (to >= 8 && to < 56) {
            if (board[to]) return;
            if (wanted & bit(to)) out.push_back(order(piece, to) + (to << 6 | square));
            int twice = to + step;
            if (square >> 3 == (owner ? 6 : 1) && !board[twice] && wanted & bit(twice))
                out.push_back(order(piece, twice) + (twice << 6 | square));
            return;
        }
        Bits to_bits = leaper_bits[piece][square] & colours[owner ^ 1];
        if (!board[to]) to_bits |= bit(to);
        for (to_bits &= wanted; to_bits; to_bits &= to_bits - 1)
            for (auto [promotion, penalty] : {std::pair(KNIGHT, 14), {ROOK, 15}, {BISHOP, 15}})
                out.push_back((promotion << PROMOTION_SHIFT) - (SCORE << penalty) +
                              (first_of(to_bits) << 6 | square));
    }

    void castling_moves(int owner, int allowed, MoveList &out) {
        for (const CastlingMove &castle : castling[owner]) {
            if (!(allowed & castle.right) || occupied() & castle.empty) continue;
            Bits without = occupied() & ~bit(castle.king) & ~bit(castle.rook);
            bool safe = true;
            for (Bits path = castle.path; path; path &= path - 1)
                safe &= !attacked(first_of(path), owner ^ 1, without);
            if (safe) out.push_back(CASTLING | castle.rook << 6 | castle.king);
        }
    }

    bool is_legal(int move) {
        if (move & CASTLING) return true;
        Made made = special(side, move, 0);
        bool legal = !is_attacked(kings[side], side ^ 1);
        restore(move, made);
        return legal;
    }

    vector<int> playable_moves() {
        MoveList moves, rest;
        captures(side, ep, moves);
        moves.sort();
        if (rights && !in_check()) castling_moves(side, rights, moves);
        quiets(side, nullptr, [](int, int) { return int64_t(0); }, rest);
        rest.sort();
        for (int64_t entry : rest) moves.push_back(entry);
        vector<int> found;
        for (int64_t entry : moves)
            if (is_legal(int(entry & MOVE_MASK))) found.push_back(int(entry & MOVE_MASK));
        return found;
    }

    // Is there a legal move other than castling?
    bool has_move(int owner, int passed) {
        MoveList moves;
        captures(owner, passed, moves);
        quiets(owner, nullptr, [](int, int) { return int64_t(0); }, moves);
        for (int64_t entry : moves) {
            int move = int(entry & MOVE_MASK);
            Made made = special(owner, move, 0);
            bool legal = !is_attacked(kings[owner], owner ^ 1);
            restore(move, made);
            if (legal) return true;
        }
        return false;
    }

    void make(int move) {
        int start = move & 63, to = move >> 6 & 63, piece = board[start];
        Undo undo{move, 0, rights, ep, halfmove_clock, key};
        Made made =
            special(side, move, key ^ side_key ^ castling_keys[rights] ^ en_passant_key(ep));
        if (!(move & CASTLING)) undo.captured = made.captured;
        stack.push_back(undo);
        rights &= kept[start] & kept[to];
        halfmove_clock = undo.captured || (piece & 7) == PAWN ? 0 : halfmove_clock + 1;
        side ^= 1;
        ep = -1;
        if ((piece & 7) == PAWN) ep = en_passant_square(side ^ 1, start, to);
        key = made.key ^ castling_keys[rights] ^ en_passant_key(ep);
    }

    void undo() {
        Undo last = stack.back();
        stack.pop_back();
        rights = last.rights, ep = last.ep, halfmove_clock = last.halfmove_clock, key = last.key;
        side ^= 1;
        int start = last.move & 63, to = last.move >> 6 & 63;
        Made made{last.captured, !(last.move & EN_PASSANT) ? to : side ? to + 8 : to - 8, 0, 0, 0};
        if (last.move & CASTLING) {
            auto [king_to, rook_to] = castling_targets(start, to);
            made.piece = board[king_to], made.captured = ROOK + side * BLACK;
        } else {
            made.piece = last.move >> PROMOTION_SHIFT & 7 ? PAWN + side * BLACK : board[to];
        }
        restore(last.move, made);
    }

    // -- the end of the game --

    int repetitions() const {
        int found = 0, last = int(stack.size()) - 2;
        for (int at = last; at >= std::max(int(stack.size()) - halfmove_clock, 0); at -= 2)
            found += stack[at].key == key;
        return found;
    }

    bool insufficient_material() const {
        Bits minors = occupied() & ~pieces[KING] & ~pieces[KING + BLACK],
             bishops = pieces[BISHOP] | pieces[BISHOP + BLACK];
        if (std::popcount(minors) <= 1)
            return !(minors & ~bishops & ~pieces[KNIGHT] & ~pieces[KNIGHT + BLACK]);
        constexpr Bits dark = 0xAA55AA55AA55AA55;
        return minors == bishops && (!(minors & dark) || !(minors & ~dark));
    }

    bool drawn() {
        return insufficient_material() ||
               (halfmove_clock >= FIFTY_MOVES && (!in_check() || !playable_moves().empty())) ||
               (halfmove_clock >= 8 && repetitions() >= 2);
    }

    string move_text(int move) const {
        int start = move & 63, to = move >> 6 & 63, kind = move >> PROMOTION_SHIFT & 7;
        if (move & CASTLING && !chess960 && (start & 7) == 4 && ((to & 7) == 0 || (to & 7) == 7))
            to = castling_targets(start, to).first;
        return square_name(start) + square_name(to) + (kind ? string(1, "..nbrq"[kind]) : "");
    }

    int parse_move(const string &text) {
        for (int move : playable_moves())
            if (move_text(move) == text) return move;
        throw std::invalid_argument("not a legal move: " + text);
    }
};

// ---- endgames: games/chess/endgames.py --------------------------------------------------------

// A reader of zlib's format (RFC 1950, 1951).
class Inflated {
public:
    vector<uint8_t> bytes;

    explicit Inflated(const string &packed) : input(packed), at(2) {
        for (bool last = false; !last;) {
            last = take(1);
            int kind = take(2);
            if (kind == 0) stored();
            else if (kind == 1) fixed();
            else dynamic();
        }
    }

private:
    struct Code {
        int count[16] = {};
        vector<int> symbols;
    };
    const string &input;
    size_t at;
    unsigned buffer = 0;
    int held = 0;

    int take(int count) {
        while (held < count) buffer |= unsigned(uint8_t(input.at(at++))) << held, held += 8;
        int found = int(buffer & ((1u << count) - 1));
        buffer >>= count, held -= count;
        return found;
    }

    static Code code_of(const vector<int> &lengths) {
        Code code;
        for (int length : lengths) ++code.count[length];
        code.count[0] = 0;
        for (int length = 1; length < 16; ++length)
            for (size_t symbol = 0; symbol < lengths.size(); ++symbol)
                if (lengths[symbol] == length) code.symbols.push_back(int(symbol));
        return code;
    }

    int symbol(const Code &code) {
        int word = 0, first = 0, index = 0;
        for (int length = 1; length < 16; ++length) {
            word |= take(1);
            int count = code.count[length];
            if (word - first < count) return code.symbols[index + word - first];
            index += count, first = (first + count) << 1, word <<= 1;
        }
        throw std::runtime_error("damaged zlib data");
    }

    void stored() {
        held = 0, buffer = 0;
        size_t length = uint8_t(input.at(at)) | uint8_t(input.at(at + 1)) << 8;
        at += 4;
        for (size_t index = 0; index < length; ++index) bytes.push_back(uint8_t(input.at(at++)));
    }

    void fixed() {
        vector<int> lengths(288, 8);
        std::fill(lengths.begin() + 144, lengths.begin() + 256, 9);
        std::fill(lengths.begin() + 256, lengths.begin() + 280, 7);
        codes(code_of(lengths), code_of(vector<int>(30, 5)));
    }

    void dynamic() {
        constexpr int order[19] = {16, 17, 18, 0, 8,  7, 9,  6, 10, 5,
                                   11, 4,  12, 3, 13, 2, 14, 1, 15};
        int literals = take(5) + 257, distances = take(5) + 1, count = take(4) + 4;
        vector<int> lengths(19, 0), all;
        for (int index = 0; index < count; ++index) lengths[order[index]] = take(3);
        Code code = code_of(lengths);
        while (int(all.size()) < literals + distances) {
            int length = symbol(code);
            if (length < 16) all.push_back(length);
            else if (length == 16) all.insert(all.end(), 3 + take(2), int(all.back()));
            else all.insert(all.end(), length == 17 ? 3 + take(3) : 11 + take(7), 0);
        }
        codes(code_of({all.begin(), all.begin() + literals}),
              code_of({all.begin() + literals, all.end()}));
    }

    void codes(const Code &literals, const Code &distances) {
        for (;;) {
            int length = symbol(literals);
            if (length < 256) {
                bytes.push_back(uint8_t(length));
                continue;
            }
            if (length == 256) return;
            length -= 257;
            int extra = length < 8 || length == 28 ? 0 : (length - 4) / 4;
            int size = length == 28 ? 258
                       : length < 8 ? length + 3
                                    : ((4 + (length & 3)) << extra) + 3 + take(extra);
            int far = symbol(distances), more = far < 4 ? 0 : far / 2 - 1;
            size_t distance = far < 4 ? far + 1 : ((2 + (far & 1)) << more) + 1 + take(more);
            for (; size; --size) bytes.push_back(bytes.at(bytes.size() - distance));
        }
    }
};

struct Endgames {
    static constexpr int MAX_PIECES = 6, CAPTURES_TO_ENDGAME = 8, KNOWN_WIN = 1000;
    string kpk;
    vector<uint8_t> kbnk;
    int first[64], view[64][64];

    explicit Endgames(const string &folder) : kpk(read_file(folder + "/kpk.bin")) {
        kbnk = Inflated(read_file(folder + "/kbnk.bin")).bytes;
        std::map<int, int> places;
        auto turned = [](int square) { return (square & 7) << 3 | square >> 3; };
        for (int square = 0; square < 64; ++square) {
            bool mirrored = square >> 3 > (square & 7);
            int seen = mirrored ? turned(square) : square;
            bool upper = (seen & 7) + (seen >> 3) > 7;
            for (int other = 0; other < 64; ++other) {
                int plain = mirrored ? turned(other) : other;
                if (upper) plain = mirrored ? 63 - turned(turned(other)) : 63 - turned(other);
                view[square][other] = plain;
            }
            first[square] =
                places.try_emplace(view[square][square], int(places.size())).first->second << 12;
        }
    }

    static int distance(int one, int two) {
        return std::max(abs((one & 7) - (two & 7)), abs((one >> 3) - (two >> 3)));
    }
    static int edge_distance(int square) {
        int file = square & 7, rank = square >> 3;
        return std::max(3 - file, file - 4) + std::max(3 - rank, rank - 4);
    }
    static bool is_dark(int square) { return ((square ^ square >> 3) & 1) == 0; }

    static int material(const vector<int> &kinds) {
        int sum = 0;
        for (int kind : kinds) sum += PIECE_VALUES[kind];
        return sum;
    }

    static bool has(const vector<int> &kinds, int kind) {
        return std::count(kinds.begin(), kinds.end(), kind);
    }

    static vector<int> squares_of(const Position &position, int side, int kind) {
        vector<int> found;
        for (Bits bits = position.pieces[kind + side * BLACK]; bits; bits &= bits - 1)
            found.push_back(first_of(bits));
        return found;
    }

    // The known score of a position with few pieces, for the side to move; else `score`.
    int known_score(const Position &position, int side, int score) const {
        vector<int> kinds[2];    // sorted, without the king
        for (int colour = 0; colour < 2; ++colour)
            for (int kind = PAWN; kind < KING; ++kind)
                kinds[colour].insert(kinds[colour].end(),
                                     std::popcount(position.pieces[kind + colour * BLACK]), kind);
        if (kinds[0].empty() || kinds[1].empty()) {
            int strong = kinds[1].empty() ? 0 : 1,
                found = against_bare_king(position, kinds[strong], strong, side);
            return found == NO_SCORE ? score : side == strong ? found : -found;
        }
        for (int strong = 0; strong < 2; ++strong)
            if (kinds[strong] == vector<int>{QUEEN}) {
                int found = queen_against(position, kinds[strong ^ 1], strong);
                if (found != NO_SCORE) return side == strong ? found : -found;
            }
        double scale = drawish_scale(position, kinds, side ? -score : score);
        return scale == 1 ? score : int(score * scale);
    }

    int against_bare_king(const Position &position, const vector<int> &kinds, int strong,
                          int side) const {
        int king = position.kings[strong], bare = position.kings[strong ^ 1];
        if (kinds == vector<int>{PAWN}) return king_and_pawn(position, king, bare, strong, side);
        if (kinds.empty() || kinds == vector<int>{KNIGHT} || kinds == vector<int>{BISHOP} ||
            kinds == vector<int>{KNIGHT, KNIGHT})
            return 0;
        vector<int> bishops = squares_of(position, strong, BISHOP);
        if (!has(kinds, KNIGHT) && !has(kinds, ROOK) && !has(kinds, QUEEN)) {
            if (has(kinds, PAWN))
                return wrong_bishop(position, bishops, bare, strong) ? 0 : NO_SCORE;
            std::set<bool> colours;
            for (int square : bishops) colours.insert(is_dark(square));
            if (colours.size() == 1) return 0;
        }
        if (has(kinds, PAWN) && !has(kinds, ROOK) && !has(kinds, QUEEN)) return NO_SCORE;
        int won = KNOWN_WIN + material(kinds);
        if (kinds == vector<int>{KNIGHT, BISHOP}) {
            int knight = squares_of(position, strong, KNIGHT)[0],
                turn = is_dark(bishops[0]) ? 0 : 7;
            const int *seen = view[bare ^ turn];
            return won -
                   8 * kbnk[first[bare ^ turn] | seen[king ^ turn] << 6 | seen[knight ^ turn]];
        }
        return won + 25 * edge_distance(bare) + 8 * (14 - distance(king, bare));
    }

    int king_and_pawn(const Position &position, int king, int bare, int strong, int side) const {
        int pawn = squares_of(position, strong, PAWN)[0];
        if (strong) pawn ^= 56, king ^= 56, bare ^= 56;
        int seen = pawn, white = king, black = bare;
        if (pawn & 4) seen ^= 7, white ^= 7, black ^= 7;
        int index = (((seen >> 3) - 1) * 4 + (seen & 7)) * 64 + white;
        index = index * 128 + black * 2 + (side ^ strong);
        bool won = uint8_t(kpk[index >> 3]) >> (index & 7) & 1;
        return won ? 500 + 30 * (pawn >> 3) - 4 * distance(king, pawn + 8) : 0;
    }

    static int queen_against(const Position &position, const vector<int> &kinds, int strong) {
        int king = position.kings[strong], bare = position.kings[strong ^ 1];
        if (kinds == vector<int>{ROOK})
            return 400 + 25 * edge_distance(bare) + 8 * (14 - distance(king, bare));
        if (kinds != vector<int>{PAWN}) return NO_SCORE;
        int pawn = squares_of(position, strong ^ 1, PAWN)[0], file = pawn & 7;
        bool drawn = pawn >> 3 == (strong ? 6 : 1) &&
                     (file == 0 || file == 2 || file == 5 || file == 7) &&
                     distance(bare, pawn) == 1;
        return (drawn ? 8 : 700) + 8 * (7 - distance(king, pawn));
    }

    static bool wrong_bishop(const Position &position, const vector<int> &bishops, int bare,
                             int strong) {
        std::set<int> files;
        for (int square : squares_of(position, strong, PAWN)) files.insert(square & 7);
        if (files != std::set<int>{0} && files != std::set<int>{7}) return false;
        int corner = (strong ? 0 : 56) + *files.begin();
        for (int square : bishops)
            if (is_dark(square) == is_dark(corner)) return false;
        return distance(bare, corner) <= 1;
    }

    static double drawish_scale(const Position &position, const vector<int> (&kinds)[2],
                                int white_score) {
        const vector<int> &own = kinds[white_score < 0], &others = kinds[white_score >= 0];
        if (has(own, PAWN)) {
            for (auto &side : kinds)
                if (has(side, KNIGHT) || has(side, ROOK) || has(side, QUEEN)) return 1;
            vector<int> white = squares_of(position, 0, BISHOP),
                        black = squares_of(position, 1, BISHOP);
            return white.size() == 1 && black.size() == 1 && is_dark(white[0]) != is_dark(black[0])
                       ? 0.4
                       : 1;
        }
        int advantage = material(own) - material(others);
        if ((advantage < 400 && !has(own, QUEEN)) || advantage < 150)
            return material(own) < 400 ? 0.1 : 0.25;
        return own == vector<int>{KNIGHT, KNIGHT} ? 0.1 : 1;
    }
};

struct Knowledge {
    Network network;
    Endgames endgames;
    explicit Knowledge(const string &folder, const string &network = "")
        : network(network.empty() ? folder + "/network.bin" : network), endgames(folder) {}
};

// ---- static exchange: games/chess/ordering.py ------------------------------------------------------

// The square of the least valuable piece of `by` that attacks `to`, -1 if there is none.
int least_valuable_attacker(const Position &position, int to, int by, Bits occupied) {
    int colour = by * BLACK;
    for (int square : pawn_attacks[by ^ 1][to])
        if (position.board[square] == PAWN + colour && occupied & bit(square)) return square;
    for (int square : knight_leaps[to])
        if (position.board[square] == KNIGHT + colour && occupied & bit(square)) return square;
    int queen = -1;
    for (auto [rays, wanted] :
         {std::pair(bishop_rays[to], BISHOP + colour), {rook_rays[to], ROOK + colour}})
        for (int way = 0; way < 4; ++way)
            for (int square : rays[way]) {
                if (!(occupied & bit(square))) continue;
                if (position.board[square] == wanted) return square;
                if (position.board[square] == QUEEN + colour) queen = square;
                break;
            }
    return queen < 0 && leaper_bits[KING][to] & position.pieces[KING + colour] ? position.kings[by]
                                                                               : queen;
}

// Does `side` lose material by a move if both sides then capture on its square?
bool loses_material(const Position &position, int start, int to, int side) {
    const int *board = position.board;
    int balance = SEE_VALUES[board[start] & 7] - SEE_VALUES[board[to] & 7];
    if (balance < 20) return false;
    int other = side ^ 1;
    if (balance > 100 &&
        leaper_bits[PAWN + side * BLACK][to] & position.pieces[PAWN + other * BLACK])
        return true;
    Bits occupied = position.occupied() & ~bit(start);
    bool lost = false;
    for (int mover = other;; mover ^= 1) {
        int square = least_valuable_attacker(position, to, mover, occupied);
        if (square < 0) return lost;
        int kind = board[square] & 7;
        if (kind == KING && least_valuable_attacker(position, to, mover ^ 1, occupied) >= 0)
            return lost;
        lost = !lost;
        balance = SEE_VALUES[kind] - balance;
        if (balance < !lost) return lost;
        occupied ^= bit(square);
    }
}

// ---- the table: games/entry.py, search/table.py -----------------------------------------------

constexpr int LOWER = 1, UPPER = 2, EXACT = 3;

struct Entry {
    uint64_t word;
    explicit operator bool() const { return word; }
    int bound() const { return int(word & 3); }
    int depth() const { return int(word >> 2 & 511); }
    int move() const { return int(word >> 11 & ((1 << 21) - 1)) - 1; }
    int score() const { return int(int64_t(word >> 32) - (int64_t(1) << 30)); }
    static Entry of(int score, int move, int depth, int bound) {
        return {uint64_t(score + (int64_t(1) << 30)) << 32 | uint64_t(move + 1) << 11 |
                uint64_t(depth) << 2 | uint64_t(bound)};
    }
};

// Key ^ data is stored beside the data, as in a table that several processes share.
struct Table {
    struct Slot {
        uint64_t check, data;
    };
    vector<Slot> slots;
    explicit Table(double megabytes) {
        size_t count = 1 << 14;
        while (2 * count * sizeof(Slot) <= megabytes * (1 << 20)) count *= 2;
        slots.assign(count, {0, 0});
    }
    void clear() { std::fill(slots.begin(), slots.end(), Slot{0, 0}); }
    Slot &slot(Key key) { return slots[key & (slots.size() - 1)]; }
    bool knows(Key key) {
        Slot &at = slot(key);
        return (at.check ^ at.data) == key;
    }
    Entry find(Key key) {
        Slot at = slot(key);
        return {(at.check ^ at.data) == key ? at.data : 0};
    }
    void store(Key key, Entry entry) { slot(key) = {key ^ entry.word, entry.word}; }
};

int from_table(int score, int ply) {
    return score > MAX_SCORE ? score - ply : score < -MAX_SCORE ? score + ply : score;
}
int to_table(int score, int ply) { return from_table(score, -ply); }

// The memory of a game from move to move.
struct Memory {
    int history[16][64] = {};
    vector<int16_t> continuation =
        vector<int16_t>(1024 * 1024);    // [last move][piece << 6 | target]
    int captures[16][64][8] = {};
    int pawn_error[2][4096] = {}, material_error[2][4096] = {}, move_error[2][1024] = {};
};

int gravity(int old, int change, int limit) {
    int product = old * abs(change);
    return old + change - (product >= 0 ? product / limit : -((limit - 1 - product) / limit));
}

int floor_divided(int64_t number, int64_t by) { return int(number / by - (number % by < 0)); }

// ---- the search: search/pvs.py, games/chess/successors.py, quiescence.py, ordering.py ---------

struct Stopped {};

struct Line {
    int score;
    vector<int> moves;
    int depth;
};

// The time of each part of a search on CPython, in hundredths of that of an average node.
constexpr int VISIT = 170, QUIESCE = 80, CUT = 40, QUIESCE_CUT = 30;
constexpr int GENERATE_CAPTURES = 55, GENERATE_QUIETS = 180, GENERATE_CHECKS = 65;

// What the processes of a team share besides the table.  They take turns, each for some nodes, so
// that they run equally fast, as on separate processors, whatever the load of this machine.
struct Team {
    static constexpr int TURN = 64;
    vector<Key> marks = vector<Key>(1 << 14 | 1);    // search/threads/abdada.py
    int defer_from = 4, ahead = 0, reorder = 1;
    int best_depth = 0, reached = 0;    // of the finished iterations, of the search itself
    vector<Line> best;
    bool stop = false;

    Key &mark(Key key) { return marks[key % marks.size()]; }

    void pass(int number) {
        std::unique_lock lock(mutex);
        turn = number ? 0 : 1;
        changed.notify_all();
        wait(lock, number);
    }

    void enter(int number) {
        std::unique_lock lock(mutex);
        wait(lock, number);
    }

    void leave(int number) {
        std::unique_lock lock(mutex);
        left = true, turn = number ? 0 : 1;
        changed.notify_all();
    }

private:
    std::mutex mutex;
    std::condition_variable changed;
    int turn = 0;
    bool left = false;

    void wait(std::unique_lock<std::mutex> &lock, int number) {
        changed.wait(lock, [&] { return turn == number || left; });
    }
};

struct State {
    Key key;
    int evaluation, rule50;
    bool in_check;
    int side;
    const Lane *lanes;
    int rights, ep, previous;
};

struct Node {
    int alpha, best, beta, table_move, evaluation;
    bool improving;
    Entry entry;
    int excluded;
};

// The memory shared by successive searches.
struct Workspace {
    vector<Lane> lanes;
    MoveList lists[PLIES][4];
};

class Search {
public:
    Position &position;
    Table &table;
    Memory &memory;
    const Knowledge &known;
    const Ideas &ideas;
    long nodes = 0, limit, spent = 0, budget = 1L << 60;
    Team *team = nullptr;
    int number = 0;    // in the team: 0 is the main search
    int deepest = 240;
    vector<int> lines[PLIES];

    Search(Position &position, Table &table, Memory &memory, const Knowledge &known,
           const Ideas &ideas, Workspace &work, long limit, bool exact)
        : position(position),
          table(table),
          memory(memory),
          known(known),
          ideas(ideas),
          limit(limit),
          net(known.network),
          exact(exact),
          board(position.board),
          lanes(net.lanes),
          work(work) {
        work.lanes.resize(size_t(2 * PLIES) * lanes);
        path.assign(3, ~Key(0));
        for (const Undo &undo : position.stack) path.push_back(undo.key);
        base = int(path.size());
        path.push_back(position.key);
        path.resize(base + PLIES);
        knows_endings = position.count() <= Endgames::MAX_PIECES + Endgames::CAPTURES_TO_ENDGAME;
        evaluations[0] = root_state(lanes_at(0)).evaluation;
    }

    State root_state(Lane *to) {
        int side = position.side;
        net.accumulate(board, to);
        int previous = 0;
        if (!position.stack.empty()) {
            int move = position.stack.back().move, square = move >> 6 & 63;
            int piece = move & CASTLING ? KING + BLACK * !side : board[square];
            previous = piece << 6 | square;
        }
        return {position.key,
                ending(side, net.score(to, side)),
                position.halfmove_clock,
                position.in_check(),
                side,
                to,
                position.rights,
                position.ep,
                previous};
    }

    void count_node(int price) {
        spend(price);
        if (++nodes >= limit) throw Stopped{};
        if (team && nodes % Team::TURN == 0) take_turns();
    }

    void take_turns() {
        team->pass(number);
        if (team->stop || team->best_depth >= deepest) throw Stopped{};
    }

    // With a limit of cost, a search ends when its parts would have taken Python that much time.
    void spend(int price) {
        if ((spent += price) >= budget) throw Stopped{};
    }

    // The fail-soft score of a state for its side to move.  excluded: a move to leave out.
    int visit(const State &state, int depth, int alpha, int beta, int ply, bool null_allowed,
              int excluded = -1) {
        count_node(VISIT);
        bool open_window = beta - alpha > 1;
        if (open_window) lines[ply].clear();
        int here = base + ply;
        path[here] = state.key;
        if (state.rule50 > 3 && excluded < 0) {
            if (is_repetition(here, state.rule50)) return 0;
            if (state.rule50 >= FIFTY_MOVES &&
                (!state.in_check || position.has_move(state.side, state.ep)))
                return 0;
        }
        if (beta > WIN - ply) {
            beta = WIN - ply;
            if (alpha >= beta) return beta;
        }
        Node node{alpha, NO_SCORE, beta, -1, 0, true, {0}, excluded};
        if (excluded < 0) node.entry = table.find(state.key);
        if (node.entry) {
            node.table_move = node.entry.move();
            if (node.entry.depth() >= depth && !open_window) {
                int score = from_table(node.entry.score(), ply), bound = node.entry.bound();
                if (bound == EXACT || (bound == LOWER ? score >= beta : score <= alpha))
                    return score;
            }
        } else if (!exact && depth >= ideas.iir_depth && excluded < 0) {
            --depth;
        }
        if (ply >= MAX_PLY) return state.evaluation;
        int raw = state.evaluation;
        if (!exact) {
            int score = 0;
            if (decided_alone(state, depth, ply, null_allowed && excluded < 0, node, score))
                return score;
        }
        search_moves(state, depth, ply, node, open_window);
        if (node.best == NO_SCORE) return excluded >= 0 ? alpha : state.in_check ? ply - WIN : 0;
        if (excluded >= 0) return node.best;
        int bound = node.best >= beta ? LOWER : node.best > alpha ? EXACT : UPPER;
        table.store(state.key, Entry::of(to_table(node.best, ply), node.table_move, depth, bound));
        if (corrects()) learn_correction(state, raw, node.best, bound, depth, node.table_move);
        return node.best;
    }

    int quiesce(const State &state, int alpha, int beta, int ply) {
        count_node(QUIESCE);
        int best = state.evaluation;
        if (best >= beta) return best;
        bool open_window = beta - alpha > 1;
        if (open_window) lines[ply].clear();
        Table::Slot &slot = table.slot(state.key);
        Entry entry = table.find(state.key);
        if (entry && !open_window) {
            int score = entry.score();
            if (-MAX_SCORE < score && score < MAX_SCORE &&
                (score >= beta ? entry.bound() & LOWER : score <= alpha && entry.bound() & UPPER))
                return score;
        }
        int side = state.side, opponent = side ^ 1;
        MoveList &moves = work.lists[ply][0];
        moves.clear();
        position.captures(side, state.ep, moves);
        if (moves.empty()) return best;
        moves.sort();
        if ((board[moves.at[0] >> 6 & 63] & 7) == KING) return ILLEGAL - ply;
        if (ply > MAX_PLY) return best;
        int floor = alpha, best_move = -1, evaluation = best, pieces_left = position.count();
        alpha = std::max(alpha, best);
        const Lane *then_phase = net.phase(pieces_left - 1);
        const Lane *then = net.phase(pieces_left) == then_phase ? state.lanes : nullptr;
        Key null_key = state.key ^ side_key ^ en_passant_key(state.ep);
        for (int64_t entry_of_move : moves) {
            int move = int(entry_of_move & MOVE_MASK), start = move & 63, to = move >> 6 & 63,
                piece = board[start], captured = board[to], score;
            Lane *next = lanes_at(ply + 1);
            if (move < 4096) {
                int bound = evaluation + SEE_VALUES[captured & 7] + ideas.delta;
                if (bound <= alpha) {
                    best = std::max(best, bound);
                    continue;
                }
                if (!then) then = accumulated_then(ply, then_phase);
                Feature plus = net.feature(then_phase, piece, to),
                        minus = net.feature(then_phase, piece, start),
                        gone = net.feature(then_phase, captured, to);
                int reply = net.score(then, plus, minus, gone, opponent);
                if (reply >= -alpha && !knows_endings) {
                    count_node(QUIESCE_CUT);
                    best = std::max(best, -reply);
                    continue;
                }
                if (SEE_VALUES[piece & 7] > SEE_VALUES[captured & 7] &&
                    loses_material(position, start, to, side))
                    continue;
                std::copy_n(then, lanes, next), net.add(next, plus, minus, gone);
                Key key = null_key ^ piece_keys[piece][start] ^ piece_keys[piece][to] ^
                          piece_keys[captured][to];
                make_plain(start, to, piece, captured);
                score = -quiesce({key, ending(opponent, reply), 0, false, opponent, next, 0, -1, 0},
                                 -beta, -alpha, ply + 1);
                unmake_plain(start, to, piece, captured);
            } else {
                Position::Made made = make_special(side, move, null_key, state.lanes, next);
                State child{made.key, ending(opponent, net.score(next, opponent)),
                            0,        false,
                            opponent, next,
                            0,        -1,
                            0};
                score = -quiesce(child, -beta, -alpha, ply + 1);
                position.restore(move, made);
            }
            if (score <= best) continue;
            best = score;
            if (score <= alpha) continue;
            best_move = move, alpha = score;
            if (open_window) extend_line(ply, move);
            if (score >= beta) break;
        }
        if (-MAX_SCORE < best && best < MAX_SCORE &&
            (table.knows(state.key) || !Entry{slot.data}.depth()))
            table.store(state.key, Entry::of(best, best_move, 0,
                                             best >= beta   ? LOWER
                                             : best > floor ? EXACT
                                                            : UPPER));
        return best;
    }

private:
    const Network &net;
    const bool exact;    // a proof: nothing is pruned
    int *board;
    const int lanes;
    bool knows_endings;
    int base;
    vector<Key> path;
    int evaluations[PLIES];
    int killers[PLIES][2] = {}, counter_moves[1024] = {};
    Workspace &work;

    Lane *lanes_at(int ply) { return work.lanes.data() + size_t(ply) * lanes; }

    // The accumulator of the board by the weights of `phase`, which apply after a capture.
    const Lane *accumulated_then(int ply, const Lane *phase) {
        Lane *then = lanes_at(PLIES + ply);
        net.accumulate(board, phase, then);
        return then;
    }

    int ending(int side, int score) const {
        return knows_endings && position.count() <= Endgames::MAX_PIECES
                   ? known.endgames.known_score(position, side, score)
                   : score;
    }

    void extend_line(int ply, int move) {
        lines[ply].assign(1, move);
        lines[ply].insert(lines[ply].end(), lines[ply + 1].begin(), lines[ply + 1].end());
    }

    bool is_repetition(int here, int rule50) const {
        int oldest = rule50 < here ? here - rule50 : 0, times = 0;
        for (int at = oldest; at < here - 3; ++at)
            if (path[at] == path[here]) {
                if (at > base) return true;
                ++times;
            }
        return times > 1;
    }

    // -- making moves on the board --

    void make_plain(int start, int to, int piece, int captured) {
        if (captured) position.take(to);
        position.take(start);
        position.put(piece, to);
    }

    void unmake_plain(int start, int to, int piece, int captured) {
        position.take(to);
        position.put(piece, start);
        if (captured) position.put(captured, to);
    }

    Position::Made make_special(int side, int move, Key key, const Lane *from, Lane *to_lanes) {
        int start = move & 63, to = move >> 6 & 63;
        const Lane *phase = net.phase(position.count());
        auto feature = [&](int piece, int square) { return net.feature(phase, piece, square); };
        Position::Made made = position.special(side, move, key);
        if (net.phase(position.count()) != phase) {
            net.accumulate(board, to_lanes);
            return made;
        }
        std::copy_n(from, lanes, to_lanes);
        if (move & CASTLING) {
            auto [king_to, rook_to] = castling_targets(start, to);
            net.add(to_lanes, feature(made.piece, king_to), feature(made.piece, start),
                    net.nothing);
            net.add(to_lanes, feature(made.captured, rook_to), feature(made.captured, to),
                    net.nothing);
        } else {
            net.add(to_lanes, feature(made.placed, to), feature(made.piece, start),
                    made.captured ? feature(made.captured, made.square) : net.nothing);
        }
        return made;
    }

    // -- before any move is made --

    // Reverse futility, the null move and the other decisions by the evaluation; may correct
    // node.evaluation.
    bool decided_alone(const State &state, int depth, int ply, bool null_allowed, Node &node,
                       int &score) {
        int alpha = node.alpha, beta = node.beta, evaluation = state.evaluation;
        bool open_window = beta - alpha > 1;
        if (corrects() && !state.in_check) evaluation = corrected(state, evaluation);
        evaluations[ply] = evaluation;
        if (node.entry) {
            int found = node.entry.score();
            if (-MAX_SCORE < found && found < MAX_SCORE &&
                node.entry.bound() & (found > evaluation ? LOWER : UPPER))
                evaluation = found;
        }
        node.evaluation = evaluation;
        if (state.in_check) return false;
        node.improving = ply < 2 || evaluation > evaluations[ply - 2];
        if (open_window || beta <= -MAX_SCORE || beta >= MAX_SCORE) return false;
        score = evaluation;
        if (depth <= ideas.rfp_depth &&
            evaluation - ideas.rfp_margin * (depth - node.improving) >= beta)
            return true;
        if (null_allowed && depth >= 2 && evaluation >= beta) {
            score = null_search(state, depth, evaluation - beta, beta, ply);
            if (score >= beta) {
                if (score >= MAX_SCORE) score = beta;
                return true;
            }
        }
        if (ideas.razor_margin && depth <= ideas.razor_depth &&
            evaluation + ideas.razor_margin * depth <= alpha) {
            score = quiesce(state, alpha, beta, ply);
            if (score <= alpha) return true;
        }
        return ideas.probcut_margin && depth >= ideas.probcut_depth && null_allowed &&
               probcut(state, depth, ply, node, score);
    }

    int null_search(const State &state, int depth, int excess, int beta, int ply) {
        Bits own = position.colours[state.side], colour = state.side * BLACK;
        if (!(own & ~position.pieces[PAWN + colour] & ~position.pieces[KING + colour]))
            return NO_SCORE;
        int opponent = state.side ^ 1;
        int reduction = int(ideas.null_base / 100.0 + depth / (ideas.null_divisor / 100.0) +
                            std::min(3.0, excess / double(ideas.null_excess)));
        State child{state.key ^ side_key ^ en_passant_key(state.ep),
                    ending(opponent, net.score(state.lanes, opponent)),
                    0,
                    false,
                    opponent,
                    state.lanes,
                    state.rights,
                    -1,
                    0};
        if (depth - reduction > 0)
            return -visit(child, depth - reduction, -beta, 1 - beta, ply + 1, false);
        return -quiesce(child, -beta, 1 - beta, ply + 1);
    }

    // If a capture beats beta by a margin in a reduced search, it will beat beta.
    bool probcut(const State &state, int depth, int ply, Node &node, int &score) {
        int raised = node.beta + ideas.probcut_margin;
        if (raised >= MAX_SCORE ||
            (node.entry && node.entry.depth() >= depth - 3 && node.entry.score() < raised))
            return false;
        Node trial{raised - 1,      NO_SCORE,       raised,     node.table_move,
                   node.evaluation, node.improving, node.entry, -1};
        bool found = false;
        captures_only = true;
        successors(state, depth, ply, trial, [&](int move, const State *child, int new_depth, int) {
            captures_only = false;
            if (found) return;
            int value = child ? -quiesce(*child, -raised, 1 - raised, ply + 1) : new_depth;
            if (child && value >= raised)
                value = -visit(*child, std::max(depth - 4, 1), -raised, 1 - raised, ply + 1, true);
            if (value >= raised) {
                found = true, score = value, trial.alpha = raised;
                table.store(state.key,
                            Entry::of(to_table(value, ply), move, std::max(depth - 3, 0), LOWER));
            }
            captures_only = true;
        });
        captures_only = false;
        return found;
    }

    bool captures_only = false;

    // -- correction history --

    bool corrects() const {
        return ideas.correction_pawns || ideas.correction_material || ideas.correction_move;
    }

    int pawn_slot() const {
        Key mixed = position.pieces[PAWN] * 0x9E3779B97F4A7C15 ^
                    position.pieces[PAWN + BLACK] * 0xC2B2AE3D27D4EB4F;
        return int((mixed ^ mixed >> 29) * 0xBF58476D1CE4E5B9 >> 52);
    }

    int material_slot() const {
        Key mixed = 0;
        for (int piece : {1, 2, 3, 4, 5, 9, 10, 11, 12, 13})
            mixed = mixed * 11 + std::popcount(position.pieces[piece]);
        return int(mixed * 0x9E3779B97F4A7C15 >> 52);
    }

    int corrected(const State &state, int evaluation) const {
        int side = state.side,
            sum = ideas.correction_pawns * memory.pawn_error[side][pawn_slot()] +
                  ideas.correction_material * memory.material_error[side][material_slot()] +
                  ideas.correction_move * memory.move_error[side][state.previous];
        return std::clamp(evaluation + sum / (100 * 256), -MAX_SCORE + 1, MAX_SCORE - 1);
    }

    void learn_correction(const State &state, int raw, int score, int bound, int depth,
                          int best_move) {
        if (state.in_check || abs(score) >= MAX_SCORE || bound == EXACT) return;
        bool quiet = best_move >= 0 && best_move < 4096 && !board[best_move >> 6 & 63];
        if (bound == LOWER ? score <= raw || !quiet : score >= raw) return;
        int error = std::clamp((score - raw) * 256, -64 * 256, 64 * 256),
            weight = std::min(depth + 1, 16);
        for (int *average : {&memory.pawn_error[state.side][pawn_slot()],
                             &memory.material_error[state.side][material_slot()],
                             &memory.move_error[state.side][state.previous]})
            *average += (error - *average) * weight / 256;
    }

    // -- moves in order --

    int16_t &continued(int previous, int piece, int to) {
        return memory.continuation[previous << 10 | piece << 6 | to];
    }

    void ordered_quiets(const State &state, int ply, const Bits *targets, MoveList &out) {
        int one = killers[ply][0], two = killers[ply][1], three = counter_moves[state.previous];
        auto order = [&](int piece, int to) {
            int entry = piece << 6 | to;
            int64_t score = memory.history[piece][to];
            if (entry == one) score += 1 << 16;
            if (entry == two) score += 1 << 15;
            if (entry == three) score += 1 << 14;
            if (ideas.continuation)
                score += continued(state.previous, piece, to) * ideas.continuation / 100;
            return score * SCORE;
        };
        position.quiets(state.side, targets, order, out);
        out.sort();
    }

    void ordered_captures(const State &state, int king, MoveList &out, Bits &mask) {
        out.clear();
        position.captures(state.side, state.ep, out);
        if (ideas.capture_history)
            for (int64_t &entry : out) {
                int start = entry & 63, to = entry >> 6 & 63;
                entry += SCORE * (memory.captures[board[start]][to][board[to] & 7] *
                                  ideas.capture_history * 16 / 100 / 8192);
            }
        out.sort();
        mask = ~Bits(0);
        if (!state.in_check) return;
        mask = position.check_mask(king, state.side);
        out.drop([&](int64_t move) {
            return (move & 63) != king && !(move & EN_PASSANT) && !(mask >> (move >> 6 & 63) & 1);
        });
    }

    void staged_quiets(const State &state, int ply, Bits mask, MoveList &out) {
        out.clear();
        if (state.in_check) {
            Bits targets[16];
            std::fill_n(targets, 16, mask);
            targets[KING] = targets[KING + BLACK] = ~Bits(0);
            ordered_quiets(state, ply, targets, out);
            return;
        }
        ordered_quiets(state, ply, nullptr, out);
        if (state.rights) position.castling_moves(state.side, state.rights, out);
    }

    void quiet_checks(const State &state, int ply, int enemy_king, const Tried &tried,
                      MoveList &out) {
        out.clear();
        ordered_quiets(state, ply, check_squares[enemy_king], out);
        out.drop([&](int64_t move) {
            return std::count(tried.begin(), tried.end(), int(move & MOVE_MASK));
        });
        if (state.rights) position.castling_moves(state.side, state.rights, out);
    }

    // The last of the quiet moves tried caused a cutoff.
    void reward(int depth, int ply, int previous, const Tried &tried) {
        auto entry_of = [&](int move) { return board[move & 63] << 6 | (move >> 6 & 63); };
        int best = entry_of(tried.back());
        if (killers[ply][0] != best) killers[ply][1] = killers[ply][0], killers[ply][0] = best;
        counter_moves[previous] = best;
        int bonus = std::min(depth * depth * ideas.bonus, ideas.max_bonus),
            malus = int(ideas.malus / 100.0 * bonus);
        for (int move : tried) {
            int entry = entry_of(move), change = entry == best ? bonus : -malus;
            int &score = memory.history[entry >> 6][entry & 63];
            score = gravity(score, change, 1 << 13);
            if (ideas.continuation || ideas.continuation_lmr) {
                int16_t &continuation = continued(previous, entry >> 6, entry & 63);
                continuation = int16_t(gravity(continuation, change, 1 << 13));
            }
        }
    }

    void reward_capture(int depth, const Tried &tried, int best) {
        int bonus = std::min(depth * depth * ideas.bonus, ideas.max_bonus);
        for (int move : tried) {
            int &score =
                memory.captures[board[move & 63]][move >> 6 & 63][board[move >> 6 & 63] & 7];
            score = gravity(score, move == best ? bonus : -bonus, 1 << 13);
        }
    }

public:
    int root_reduction(int depth, int number) const {
        return ideas.reductions[std::min(depth + 1, 63)][std::min(number - 1, 63)] >> 11;
    }

private:
    // -- the moves of a node: games/chess/successors.py --

    int move_count_limit(int depth, const Node &node) const {
        constexpr int counts[2][7] = {{0, 4, 8, 12, 20, 28, 40}, {0, 8, 12, 20, 30, 44, 60}};
        if (depth <= ideas.futility_depth && -MAX_SCORE < node.beta && node.beta < MAX_SCORE &&
            node.evaluation + ideas.futility_base + ideas.futility_step * depth <= node.alpha)
            return 1;
        return depth < 7 ? counts[node.improving][depth] * ideas.late_moves / 100 : NO_LIMIT;
    }

    // Calls use(move, child, new depth, reduction) for each move to search, and use(move, null,
    // score, 0) if the score is known; `use` raises node.alpha and node.best.
    template <class Use>
    void successors(const State &state, int depth, int ply, Node &node, Use use) {
        enum { TABLE_MOVE, CAPTURES, QUIETS, CHECKS, BAD_CAPTURES };
        int side = state.side, opponent = side ^ 1, alpha = node.alpha, beta = node.beta;
        bool pv_node = beta - alpha > 1, in_check = state.in_check,
             prune_none = pv_node || in_check || exact;
        Key null_key = state.key ^ side_key ^ en_passant_key(state.ep);
        int king = position.kings[side], enemy_king = position.kings[opponent],
            pieces_left = position.count();
        bool reduces = false, pruned = false;
        const Lane *phase = net.phase(pieces_left), *then_phase = net.phase(pieces_left - 1);
        const Lane *then = phase == then_phase ? state.lanes : nullptr;
        int pv_reduction = prune_none ? -parts(ideas.lmr_pv) : 0,
            capture_reduction = pv_reduction - parts(ideas.lmr_capture);
        int quiet_reduction = pv_reduction + (node.improving ? 0 : parts(ideas.lmr_not_improving)) +
                              table_reduction(node);
        int move_count = 0, stage = TABLE_MOVE, limit = NO_LIMIT;
        Tried quiets_tried, captures_tried;
        MoveList &queue = work.lists[ply][captures_only ? 2 : 0],
                 &bad_captures = work.lists[ply][captures_only ? 3 : 1];
        queue.clear(), bad_captures.clear();
        bool child_cuts =
            !knows_endings && !exact && state.rule50 < FIFTY_MOVES - 1 && !captures_only;
        bool cut_child = child_cuts && !pv_node && alpha < MAX_SCORE, only_captures = captures_only;
        int child_beta = -alpha, here = base + ply, parent_evaluation = evaluations[ply - 1];
        Bits mask = 0;
        if (node.table_move >= 0) queue.push_back(node.table_move);
        while (true) {
            for (int index = 0; index < queue.count; ++index) {
                int move = int(queue.at[index] & MOVE_MASK), start = move & 63, to = move >> 6 & 63;
                if ((move == node.table_move && stage) || move == node.excluded) continue;
                int piece = board[start], captured = board[to];
                bool quiet = !captured && move < 4096;
                if (only_captures && (quiet || move & CASTLING)) continue;
                if (move_count >= limit && quiet && node.best > -MAX_SCORE) {
                    pruned = true;
                    break;
                }
                if (stage == BAD_CAPTURES && depth <= ideas.see_depth && !prune_none &&
                    node.best > -MAX_SCORE && !(empty_board[piece][to] & bit(enemy_king)))
                    continue;
                if (stage == QUIETS && quiet && !prune_none && node.best > -MAX_SCORE &&
                    quiet_is_hopeless(depth, piece, start, to, state))
                    continue;

                // 1. Is the move legal?  The evaluation after it.
                Lane *next = lanes_at(ply + 1);
                const Lane *from = state.lanes;
                Feature plus = net.nothing, minus = net.nothing, gone = net.nothing;
                Position::Made made{captured, to, piece, piece, 0};
                int child_evaluation;
                if (move < 4096) {
                    if ((in_check || ray_through[king][start].count || start == king) &&
                        position.illegal(king, start, to, side, in_check))
                        continue;
                    const Lane *here = phase;
                    made.key = null_key ^ piece_keys[piece][start] ^ piece_keys[piece][to];
                    if (captured) {
                        if (!then) then = accumulated_then(ply, then_phase);
                        from = then, here = then_phase;
                        gone = net.feature(then_phase, captured, to);
                        made.key ^= piece_keys[captured][to];
                    }
                    plus = net.feature(here, piece, to), minus = net.feature(here, piece, start);
                    child_evaluation = net.score(from, plus, minus, gone, opponent);
                } else {
                    made = make_special(side, move, null_key, state.lanes, next);
                    if (!(move & CASTLING) && position.is_attacked(king, opponent)) {
                        position.restore(move, made);
                        continue;
                    }
                    child_evaluation = net.score(next, opponent);
                    captured = made.captured, piece = made.piece;
                }
                ++move_count;
                if (quiet) quiets_tried.push_back(move);
                // 2. Does it give check?
                bool gives_check = (empty_board[made.placed][to] & bit(enemy_king) ||
                                    ray_through[enemy_king][start].count || move >= EN_PASSANT) &&
                                   position.gives_check(enemy_king, move, made.placed, opponent);
                // 3. Late move reductions.
                int reduction = 0;
                if (reduces && move_count > 2 && !gives_check) {
                    reduction =
                        (ideas.reductions[std::min(depth, 63)][std::min(move_count, 63)] +
                         (quiet ? quiet_reduction -
                                      floor_divided(reduction_history(state, piece, to) * SCORE,
                                                    ideas.lmr_history * SCORE >> 10)
                                : capture_reduction)) >>
                        10;
                    reduction = reduction < 0 ? 0 : std::min(reduction, depth - 2);
                }
                // 4. The evaluation alone cuts most children: their moves are not made.
                if (cut_child && child_evaluation >= child_beta && !gives_check &&
                    cut_unmade(depth - 1 - reduction, depth, child_evaluation, parent_evaluation,
                               child_beta, made.key, here, state.rule50)) {
                    count_node(CUT);
                    if (move >= 4096) position.restore(move, made);
                    node.best = std::max(node.best, -child_evaluation);
                    continue;
                }
                if (stage == CAPTURES && move < 4096 &&
                    SEE_VALUES[piece & 7] > SEE_VALUES[captured & 7] &&
                    loses_material(position, start, to, side)) {
                    --move_count;
                    bad_captures.push_back(move);
                    continue;
                }
                if (!quiet && ideas.capture_history && move < 4096) captures_tried.push_back(move);
                // 5. Make the move, search it, take it back.
                State child =
                    made_state(state, move, made, captured, child_evaluation, gives_check, next);
                auto fill_next = [&] {
                    std::copy_n(from, lanes, next), net.add(next, plus, minus, gone);
                };
                if (move < 4096) fill_next();
                if (depth > 1 || gives_check) {
                    bool extended = gives_check && stage != BAD_CAPTURES &&
                                    (!reduces || move_count <= ideas.extended_checks);
                    int new_depth = extended ? depth : std::max(depth - 1, 1);
                    if (stage == TABLE_MOVE && ideas.singular_depth)
                        new_depth += singular(state, depth, ply, node, move, made, captured);
                    // The verification of a singular move has overwritten the lanes and the board.
                    if (move < 4096 && stage == TABLE_MOVE && ideas.singular_depth) fill_next();
                    use(move, &child, new_depth, reduction);
                } else {
                    int score = -quiesce(child, -beta, child_beta, ply + 1);
                    if (pv_node || score > alpha) use(move, nullptr, score, 0);
                    else node.best = std::max(node.best, score);
                }
                if (move < 4096) unmake_plain(start, to, piece, captured);
                else position.restore(move, made);
                alpha = node.alpha;
                if (alpha >= beta) {
                    if (only_captures) return;
                    if (quiet) reward(depth, ply, state.previous, quiets_tried);
                    if (ideas.capture_history)
                        reward_capture(depth, captures_tried, quiet ? -1 : move);
                    return;
                }
                cut_child = child_cuts && alpha < MAX_SCORE, child_beta = -alpha;
            }
            ++stage;
            if (stage == CAPTURES) {
                spend(GENERATE_CAPTURES);
                ordered_captures(state, king, queue, mask);
            } else if (only_captures) {
                return;
            } else if (stage == QUIETS) {
                reduces = depth > 2 && !exact;
                limit = prune_none ? NO_LIMIT : move_count_limit(depth, node);
                pruned = move_count >= limit && node.best > -MAX_SCORE;
                if (pruned) queue.clear();
                else spend(GENERATE_QUIETS), staged_quiets(state, ply, mask, queue);
            } else if (stage == CHECKS && pruned) {
                if (limit == 1 && node.best < node.evaluation) node.best = node.evaluation;
                limit = NO_LIMIT;
                spend(GENERATE_CHECKS);
                quiet_checks(state, ply, enemy_king, quiets_tried, queue);
            } else if (stage <= BAD_CAPTURES && !bad_captures.empty()) {
                stage = BAD_CAPTURES, limit = NO_LIMIT;
                queue = bad_captures;
            } else {
                return;
            }
        }
    }

    static int parts(int thousandths) { return thousandths * 1024 / 1000; }

    int table_reduction(const Node &node) const {
        int sum = 0;
        if (node.table_move < 0) sum += parts(ideas.lmr_no_table_move);
        else if (board[node.table_move >> 6 & 63] && !(node.table_move & CASTLING))
            sum += parts(ideas.lmr_table_capture);
        if (node.entry && node.entry.bound() == EXACT) sum -= parts(ideas.lmr_table_exact);
        return sum;
    }

    int64_t reduction_history(const State &state, int piece, int to) {
        int score = memory.history[piece][to];
        if (ideas.continuation_lmr)
            score += continued(state.previous, piece, to) * ideas.continuation_lmr / 100;
        return score;
    }

    bool quiet_is_hopeless(int depth, int piece, int start, int to, const State &state) const {
        if (ideas.history_prune && depth <= ideas.history_prune_depth &&
            memory.history[piece][to] < -ideas.history_prune * depth)
            return true;
        return ideas.see_quiet_depth && depth <= ideas.see_quiet_depth &&
               loses_material(position, start, to, state.side);
    }

    bool cut_unmade(int left, int depth, int evaluation, int parent_evaluation, int child_beta,
                    Key key, int here, int rule50) {
        if (depth == 1) return true;
        if (left > ideas.rfp_depth ||
            evaluation - ideas.rfp_margin * (left - (evaluation > parent_evaluation)) < child_beta)
            return false;
        if (left >= 2 && table.slot(key).check == (key ^ table.slot(key).data)) return false;
        if (rule50 > 2)
            for (int at = rule50 < here ? here - rule50 : 0; at < here - 2; ++at)
                if (path[at] == key) return false;
        return true;
    }

    State made_state(const State &state, int move, const Position::Made &made, int captured,
                     int evaluation, bool gives_check, Lane *next) {
        int start = move & 63, to = move >> 6 & 63, ep = -1, opponent = state.side ^ 1;
        int rule50 =
            (!captured && (made.placed & 7) != PAWN) || move & CASTLING ? state.rule50 + 1 : 0;
        int rights = state.rights & position.kept[start] & position.kept[to];
        Key key = made.key ^ castling_keys[state.rights] ^ castling_keys[rights];
        if (move < 4096) {
            make_plain(start, to, made.piece, captured);
            if ((made.placed & 7) == PAWN) ep = position.en_passant_square(state.side, start, to);
        } else if (!(move & CASTLING)) {
            rule50 = 0;
        }
        return {key ^ en_passant_key(ep),
                ending(opponent, evaluation),
                rule50,
                gives_check,
                opponent,
                next,
                rights,
                ep,
                made.placed << 6 | to};
    }

    // Return 1 if no other move comes near the table's move, which is made on the board.
    int singular(const State &state, int depth, int ply, const Node &node, int move,
                 const Position::Made &made, int captured) {
        const Entry &entry = node.entry;
        if (depth < ideas.singular_depth || node.excluded >= 0 || !entry ||
            entry.depth() < depth - 3 || !(entry.bound() & LOWER) ||
            abs(entry.score()) >= MAX_SCORE)
            return 0;
        int start = move & 63, to = move >> 6 & 63,
            below = entry.score() - ideas.singular_margin * depth;
        MoveList kept[2] = {work.lists[ply][0], work.lists[ply][1]};
        if (move < 4096) unmake_plain(start, to, made.piece, captured);
        else position.restore(move, made);
        int score = visit(state, (depth - 1) / 2, below - 1, below, ply, false, move);
        std::copy_n(kept, 2, work.lists[ply]);
        if (move < 4096) make_plain(start, to, made.piece, captured);
        else make_special(state.side, move, 0, state.lanes, lanes_at(ply + 1));
        return score < below;
    }

    // -- step 6 of search/pvs.py --

    void search_moves(const State &state, int depth, int ply, Node &node, bool open_window) {
        bool scout = !open_window, first = true;
        bool defers = team && depth >= team->defer_from;
        int best_move = node.table_move;
        auto search = [&](int move, const State *child, int new_depth, int reduction) {
            int alpha = node.alpha, beta = node.beta, score;
            if (!child) {
                score = new_depth;
            } else if (!scout) {
                score = -visit(*child, new_depth, -beta, -alpha, ply + 1, true);
            } else {
                score = -visit(*child, new_depth - reduction, -alpha - 1, -alpha, ply + 1, true);
                if (reduction && score > alpha) {
                    int deeper = ideas.deeper_margin && score > node.best + ideas.deeper_margin;
                    score = -visit(*child, new_depth + deeper, -alpha - 1, -alpha, ply + 1, true);
                }
                if (open_window && alpha < score && score < beta)
                    score = -visit(*child, new_depth, -beta, -alpha, ply + 1, true);
            }
            scout = true;
            if (score <= node.best) return;
            node.best = score;
            if (score <= alpha) return;
            node.alpha = score, best_move = move;
            if (open_window) extend_line(ply, move);
        };
        if (!defers) {
            successors(state, depth, ply, node, search);
        } else {
            std::set<int> deferred;
            successors(state, depth, ply, node,
                       [&](int move, const State *child, int new_depth, int reduction) {
                           if (!child || first) {
                               first = first && !child;
                               search(move, child, new_depth, reduction);
                               return;
                           }
                           Key mark = child->key ^ Key(depth) << 40, &word = team->mark(mark);
                           if (word == mark) {
                               deferred.insert(move);
                               return;
                           }
                           word = mark;
                           search(move, child, new_depth, reduction);
                           word = 0;
                       });
            if (!deferred.empty() && node.alpha < node.beta)
                successors(state, depth, ply, node,
                           [&](int move, const State *child, int new_depth, int reduction) {
                               if (deferred.count(move)) search(move, child, new_depth, reduction);
                           });
        }
        node.table_move = best_move;
    }
};

// ---- the root: search/root.py -----------------------------------------------------------------

struct Limits {
    int depth = 240, mate = 0, lines = 1;
    long nodes = 1L << 60, cost = 1L << 50;
    vector<int> moves;    // the root moves to consider, all if empty
};

class Root {
public:
    vector<Line> found;
    long nodes = 0;

    Root(const Position &start, Table &table, Memory &memory, Workspace &work,
         const Knowledge &known, const Ideas &ideas, const Limits &limits, Team *team = nullptr,
         int helper = 0)
        : position(start),
          known(known),
          ideas(ideas),
          limits(limits),
          helper(helper),
          mate(limits.mate > 0),
          search(position, table, memory, known, ideas, work, limits.nodes, mate) {
        search.team = this->team = team, search.number = helper;
        search.deepest = helper ? 240 : limits.depth, search.budget = 100 * limits.cost;
    }

    void think() {
        vector<int> legal = position.playable_moves();
        for (int move : legal)
            if (limits.moves.empty() || std::count(limits.moves.begin(), limits.moves.end(), move))
                moves.push_back(move);
        bool drawn = position.drawn();
        Position before = position;
        order_moves();
        if (team) team->enter(helper);
        try {
            deepen();
        } catch (Stopped &) { keep_partial(); }
        nodes = search.nodes;
        if (team) {
            if (!helper) team->stop = true;
            team->leave(helper);
        }
        position = before;
        if (found.empty()) found = {Line{0, {moves[0]}, 1}};
        if (drawn)
            for (Line &line : found) line.score = 0;
    }

private:
    Position position;
    const Knowledge &known;
    const Ideas &ideas;
    Limits limits;
    int helper;
    bool mate;
    Search search;
    Team *team;
    vector<int> moves;
    Line partial{0, {}, 0};
    std::map<int, std::pair<State, vector<Lane>>> states;
    int iteration = 0;

    void order_moves() {
        std::map<int, int> scores;
        for (int move : moves) scores[move] = root_score(move);
        std::stable_sort(moves.begin(), moves.end(),
                         [&](int one, int other) { return scores[one] > scores[other]; });
        if (helper && team->reorder &&
            moves.size() > 2) {    // games/ordering.py: reorder_for_helper
            size_t rest = moves.size() - 1, start = size_t(helper) / 2 * rest / 4 % rest;
            std::rotate(moves.begin() + 1, moves.begin() + 1 + long(start), moves.end());
            if (helper % 2) std::reverse(moves.begin() + 1, moves.end());
        }
    }

    // root_scores of games/chess/ordering.py, without the summand that all moves have in common.
    int root_score(int move) {
        int side = position.side, start = move & 63, to = move >> 6 & 63, loss = 0;
        int after[64];
        std::copy_n(position.board, 64, after);
        int piece = after[start], captured = after[to];
        if (!(move & CASTLING)) {
            int kind = move >> PROMOTION_SHIFT & 7, placed = kind ? kind + side * BLACK : piece;
            after[start] = 0, after[to] = placed;
            if (move & EN_PASSANT) after[to ^ 8] = 0;
            if (loses_material(position, start, to, side))
                loss = SEE_VALUES[placed & 7] - SEE_VALUES[captured & 7];
            else if (kind && position.is_attacked(to, side ^ 1))
                loss = SEE_VALUES[placed & 7] - SEE_VALUES[PAWN];
        }
        if (std::popcount(position.colours[side ^ 1]) <= 4) {
            position.make(move);
            bool drawn = position.drawn(), over = drawn || position.playable_moves().empty(),
                 check = position.in_check();
            position.undo();
            if (over) return !drawn && check ? 1 << 15 : 0;
        }
        vector<Lane> lanes(size_t(known.network.lanes));
        known.network.accumulate(after, lanes.data());
        return -known.network.score(lanes.data(), side ^ 1) - loss;
    }

    void deepen() {
        int deepest = std::min(limits.depth, 240);
        if (mate) deepest = std::min(deepest, 2 * limits.mate + 4);
        for (int depth = 0; depth < deepest;) {
            iteration = depth = next_depth(depth + 1, deepest);
            partial.moves.clear();
            bool joins = helper && depth > 1 && team->best_depth == depth - 1;
            if (joins) adopt();    // one window and one first move for all
            try {
                if (team && team->best_depth >= depth) throw Overtaken{};
                iterate(depth);
                if (team && depth > team->best_depth) team->best_depth = depth, team->best = found;
            } catch (Overtaken &) {
                depth = team->best_depth;
                adopt();
            }
            if (finished(depth)) return;
        }
    }

    struct Overtaken {};

    int next_depth(int depth, int deepest) {
        if (!team) return depth;
        if (helper) return std::min(std::max(depth, team->reached + team->ahead), deepest);
        return team->reached = std::min(std::max(depth, team->best_depth), deepest);
    }

    // The answer is another process's result.
    void adopt() {
        found = team->best;
        int first = found[0].moves[0];
        std::erase(moves, first);
        moves.insert(moves.begin(), first);
    }

    bool finished(int depth) const {
        if (mate) {
            int plies = WIN - abs(found[0].score), in_moves = std::max((plies + 1) / 2, 1);
            if (depth >= 2 * limits.mate - 1) return true;
            if (found[0].score > MAX_SCORE && in_moves <= limits.mate) return true;
        }
        return std::all_of(found.begin(), found.end(), [&](const Line &line) {
            return abs(line.score) > MAX_SCORE && WIN - abs(line.score) <= depth;
        });
    }

    void iterate(int depth) {
        vector<Line> lines;
        vector<int> rest = moves, first;
        while (!rest.empty() && int(lines.size()) < limits.lines) {
            const Line *guess = found.size() > lines.size() ? &found[lines.size()] : nullptr;
            lines.push_back(aspiration(rest, depth, guess));
            std::erase(rest, lines.back().moves[0]);
        }
        std::stable_sort(lines.begin(), lines.end(), [](const Line &one, const Line &other) {
            return one.score > other.score;
        });
        for (const Line &line : lines) first.push_back(line.moves[0]);
        for (int move : moves)
            if (!std::count(first.begin(), first.end(), move)) first.push_back(move);
        moves.swap(first);
        found.swap(lines);
    }

    Line aspiration(vector<int> &rest, int depth, const Line *guess) {
        int width = ideas.window, alpha = -INFINITE_SCORE, beta = INFINITE_SCORE;
        if (guess && depth >= 4 && abs(guess->score) < MAX_SCORE)
            alpha = guess->score - width, beta = guess->score + width;
        for (;;) {
            Line line = search_root(rest, depth, alpha, beta);
            if (alpha < line.score && line.score < beta) return line;
            width *= 4;
            if (line.score <= alpha) alpha = std::max(line.score - width, -INFINITE_SCORE);
            else beta = std::min(line.score + width, INFINITE_SCORE);
            if (width > MAX_SCORE || abs(line.score) > MAX_SCORE)
                alpha = -INFINITE_SCORE, beta = INFINITE_SCORE;
        }
    }

    Line search_root(vector<int> &rest, int depth, int alpha, int beta) {
        Line best{alpha, {}, depth};
        bool any = false;
        vector<std::pair<int, int>> queue;
        for (int move : rest) queue.emplace_back(int(queue.size()) + 1, move);
        size_t count = queue.size();
        for (size_t place = 0; place < queue.size(); ++place) {
            auto [number, move] = queue[place];
            if (team && number > 1 && team->best_depth >= depth) throw Overtaken{};
            if (team && 0 < place && place < count && busy(move)) {
                queue.emplace_back(number, move);
                continue;
            }
            vector<int> replies;
            int score;
            if (!any || beta - alpha == 1) {
                score = try_move(move, number, depth - 1, alpha, beta, replies);
            } else {
                score = try_move(move, number, depth - 1, alpha, alpha + 1, replies);
                if (alpha < score && score < beta)
                    score = try_move(move, number, depth - 1, alpha, beta, replies);
            }
            if (any && score <= best.score) continue;
            any = true;
            best = {score, {move}, depth};
            if (alpha < score && score < beta)
                best.moves.insert(best.moves.end(), replies.begin(), replies.end());
            if (score <= alpha) continue;
            std::erase(rest, move);
            rest.insert(rest.begin(), move);
            if (rest.size() == moves.size()) partial = best;
            alpha = score;
            if (score >= beta) break;
        }
        return best;
    }

    bool busy(int move) {
        auto at = states.find(move);
        if (at == states.end()) return false;
        Key mark = at->second.first.key ^ Key(iteration) << 40;
        return team->mark(mark) == mark;
    }

    int try_move(int move, int number, int depth, int alpha, int beta, vector<int> &replies) {
        position.make(move);
        if (!states.count(move)) {
            auto &[state, lanes] = states[move];
            lanes.resize(size_t(known.network.lanes));
            state = search.root_state(lanes.data());
        }
        const State &state = states[move].first;
        depth += state.in_check;
        int reduction = 0;
        if (!mate && number > 1 && beta - alpha == 1 && depth > 2 && number > 4 &&
            !state.in_check && !position.stack.back().captured)
            reduction = search.root_reduction(depth, number);
        Key mark = state.key ^ Key(iteration) << 40;
        if (team && number > 1) team->mark(mark) = mark;
        int score = reply(state, depth - reduction, alpha, beta);
        if (reduction && score > alpha) score = reply(state, depth, alpha, beta);
        if (team && number > 1) team->mark(mark) = 0;
        if (beta - alpha > 1) replies = search.lines[1];
        position.undo();
        return score;
    }

    int reply(const State &state, int depth, int alpha, int beta) {
        search.lines[1].clear();
        if (position.halfmove_clock >= 8 && position.repetitions() >= 2) return 0;
        if (depth <= 0 && !position.has_move(state.side, state.ep) &&
            position.playable_moves().empty())
            return 0;
        if (depth > 0) return -search.visit(state, depth, -beta, -alpha, 1, true);
        return -search.quiesce(state, -beta, -alpha, 1);
    }

    void keep_partial() {
        if (partial.moves.empty() || (!found.empty() && partial.moves[0] == found[0].moves[0]))
            return;
        size_t wanted = std::max<size_t>(1, found.size());
        std::erase_if(found, [&](const Line &line) { return line.moves[0] == partial.moves[0]; });
        found.insert(found.begin(), partial);
        found.resize(wanted);
    }
};

// ---- questions and answers: tests/pinned.py ---------------------------------------------------

string score_text(int score) {
    if (abs(score) > MAX_SCORE)
        return (score > 0 ? "win " : "loss ") + std::to_string(WIN - abs(score));
    return (score < 0 ? "" : "+") + std::to_string(score);
}

string line_text(Position position, const Line &line) {
    string text = "depth " + std::to_string(line.depth) + " " + score_text(line.score);
    for (size_t index = 0; index < line.moves.size() && index < 6; ++index) {
        text += " " + position.move_text(line.moves[index]);
        position.make(line.moves[index]);
    }
    return line.moves.size() > 6 ? text + " +" + std::to_string(line.moves.size() - 6) : text;
}

constexpr char START[] = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

Position set_up(const string &text, bool chess960) {
    size_t at = text.find(" moves ");
    string fen = text.substr(0, at);
    Position position(fen == "start" ? START : fen, chess960);
    if (at == string::npos) return position;
    std::istringstream moves(text.substr(at + 7));
    for (string move; moves >> move;) position.make(position.parse_move(move));
    return position;
}

string answer(const string &place, const string &words, Table &table, Memory &memory,
              Workspace &work, const Knowledge &known, const Ideas &ideas) {
    Limits limits;
    std::istringstream reader(words);
    string only;
    bool chess960 = false;
    for (string word; reader >> word;) {
        if (word == "depth") reader >> limits.depth;
        else if (word == "nodes") reader >> limits.nodes;
        else if (word == "mate") reader >> limits.mate;
        else if (word == "only") reader >> only;
        else if (word.starts_with("MultiPV=")) limits.lines = atoi(word.c_str() + 8);
        else chess960 = word == "UCI_Chess960=true";
    }
    Position position = set_up(place, chess960);
    std::replace(only.begin(), only.end(), ',', ' ');
    std::istringstream chosen(only);
    for (string move; chosen >> move;) limits.moves.push_back(position.parse_move(move));
    Root root(position, table, memory, work, known, ideas, limits);
    root.think();
    string text = std::to_string(root.nodes) + " nodes:";
    for (size_t rank = 0; rank < root.found.size(); ++rank)
        text += (rank ? " / " : " ") + line_text(position, root.found[rank]);
    return text;
}

string trimmed(const string &text) {
    size_t from = text.find_first_not_of(' '), to = text.find_last_not_of(' ');
    return from == string::npos ? "" : text.substr(from, to - from + 1);
}

void answer_questions(const Knowledge &known, const Ideas &ideas) {
    Table table(4);
    Memory memory;
    auto work = std::make_unique<Workspace>();
    for (string line; std::getline(std::cin, line);) {
        std::istringstream parts(line);
        string game, place, words;
        std::getline(parts, game, '|'), std::getline(parts, place, '|'),
            std::getline(parts, words, '|');
        if (trimmed(game) != "+") table.clear(), memory = Memory();
        std::cout << answer(trimmed(place), trimmed(words), table, memory, *work, known, ideas)
                  << std::endl;
    }
}

// ---- matches ----------------------------------------------------------------------------------

struct Side {
    string network;    // its file; empty: the one in the folder of games/chess
    Ideas ideas;
};

struct Player {
    const Knowledge &known;
    const Ideas &ideas;
    Table table;
    Memory memory;
    std::unique_ptr<Workspace> work = std::make_unique<Workspace>();
    Player(const Knowledge &known, const Ideas &ideas, double megabytes)
        : known(known), ideas(ideas), table(megabytes) {}
    void new_game() { table.clear(), memory = Memory(); }
};

struct Score {
    long pairs[5] = {};    // by their half points

    explicit Score(const string &counts = "") {
        std::istringstream reader(counts);
        int index = 0;
        for (string word; std::getline(reader, word, ',');) pairs[index++ % 5] = atol(word.c_str());
    }

    long games() const { return 2 * std::accumulate(pairs, pairs + 5, 0L); }

    double expected(double elo) const { return 1 / (1 + std::pow(10, -elo / 400)); }

    void moments(double &count, double &mean, double &variance) const {
        count = mean = variance = 0;
        for (int index = 0; index < 5; ++index)
            count += double(pairs[index]), mean += double(pairs[index]) * index / 4;
        mean /= count;
        for (int index = 0; index < 5; ++index)
            variance += double(pairs[index]) * std::pow(index / 4.0 - mean, 2);
        variance /= count;
    }

    // Pairs that neither side has won say little about the variance, and so about the test.
    static constexpr long MIN_UNEVEN = 50;
    long uneven() const { return pairs[0] + pairs[1] + pairs[3] + pairs[4]; }

    // The ratio of "elo1" to "elo0", by the normal approximation of the generalised test.
    double log_likelihood_ratio(double elo0, double elo1) const {
        double count, mean, variance, low = expected(elo0), high = expected(elo1);
        moments(count, mean, variance);
        return variance ? count * (high - low) * (2 * mean - low - high) / (2 * variance) : 0;
    }

    string text() const {
        double count, mean, variance;
        moments(count, mean, variance);
        double error = 1.96 * std::sqrt(variance / count);
        auto elo = [](double score) {
            return -400 * std::log10(1 / std::clamp(score, 1e-6, 1 - 1e-6) - 1);
        };
        char out[200];
        snprintf(out, sizeof out,
                 "%ld games: Elo %+.1f (%+.1f to %+.1f), pairs %ld,%ld,%ld,%ld,%ld", games(),
                 elo(mean), elo(mean - error), elo(mean + error), pairs[0], pairs[1], pairs[2],
                 pairs[3], pairs[4]);
        return out;
    }
};

struct Terms {
    long nodes = 1L << 60, cost = 1L << 50, games = 20000, seed = 1, plies = 8, hash = 4;
    long threads = 1;    // games at a time
    Score before;        // of a match that this one continues
    double elo0 = 0, elo1 = 5;
    // For two processes: the depth; the depth from which moves are deferred; the lead of the second
    // process; whether the second orders the root's moves differently; whether both share a history.
    long depth = 10, defer = 4, ahead = 0, reorder = 1, shared = 0;
};

Line best_line(Player &player, const Position &position, long nodes, long cost = 1L << 50) {
    Limits limits;
    limits.nodes = nodes, limits.cost = cost;
    Root root(position, player.table, player.memory, *player.work, player.known, player.ideas,
              limits);
    root.think();
    return root.found[0];
}

// A position after random moves in which neither side is far ahead.
Position opening(std::mt19937_64 &dice, const Terms &terms, Player &judge) {
    for (;;) {
        Position position(START);
        for (long ply = 0; ply < terms.plies + long(dice() % 2); ++ply) {
            vector<int> moves = position.playable_moves();
            if (moves.empty()) break;
            position.make(moves[dice() % moves.size()]);
        }
        if (position.playable_moves().empty() || position.drawn()) continue;
        judge.new_game();
        if (abs(best_line(judge, position, std::min(terms.nodes, 2000L)).score) <= 120)
            return position;
    }
}

// A game ends if the scores of the last five plies agree on the winner, or of eight on a draw.
constexpr int DECIDED = 500, LEVEL = 12;

// The score of White: 0, 1 or 2 half points.
int play(Position position, Player *white, Player *black, const Terms &terms) {
    white->new_game(), black->new_game();
    int decided = 0, level = 0;
    for (int ply = 0; ply < 400; ++ply) {
        if (position.drawn()) return 1;
        if (position.playable_moves().empty())
            return !position.in_check() ? 1 : position.side ? 2 : 0;
        Line line = best_line(position.side ? *black : *white, position, terms.nodes, terms.cost);
        int score = position.side ? -line.score : line.score;
        decided = score >= DECIDED    ? std::max(decided, 0) + 1
                  : score <= -DECIDED ? std::min(decided, 0) - 1
                                  : 0;
        level = ply >= 50 && abs(score) <= LEVEL ? level + 1 : 0;
        if (abs(decided) >= 5) return decided > 0 ? 2 : 0;
        if (level >= 8) return 1;
        position.make(line.moves[0]);
    }
    return 1;
}

// Print the score now and then and when the match is over; return whether it is.
bool is_over(const Score &score, const Terms &terms) {
    const double bound = std::log(0.95 / 0.05);
    double ratio = score.log_likelihood_ratio(terms.elo0, terms.elo1);
    bool decided = score.uneven() >= Score::MIN_UNEVEN && std::abs(ratio) >= bound;
    bool over = decided || score.games() >= terms.games;
    const char *verdict = !over       ? ""
                          : !decided  ? ", undecided"
                          : ratio > 0 ? ", passed"
                                      : ", failed";
    if (over || score.games() % 200 == 0)
        std::cout << score.text() << ", LLR " << ratio << verdict << std::endl;
    return over;
}

// Call work(number) in threads numbered from 0 on, the first of them this one.
template <class Work>
void in_threads(long count, Work work) {
    vector<std::thread> threads;
    for (long number = 1; number < count; ++number) threads.emplace_back(work, number);
    work(0);
    for (std::thread &thread : threads) thread.join();
}

void run_match(const string &folder, const Terms &terms, const Side (&sides)[2]) {
    const Knowledge known[2] = {Knowledge(folder, sides[0].network),
                                Knowledge(folder, sides[1].network)};
    Ideas judges;
    judges.fill_reductions();
    Score score = terms.before;
    std::mt19937_64 seeds(uint64_t(terms.seed));
    std::mutex mutex;
    bool over = score.games() && is_over(score, terms);
    auto work = [&] {
        Player one(known[0], sides[0].ideas, double(terms.hash)),
            other(known[1], sides[1].ideas, double(terms.hash)), judge(known[1], judges, 1);
        for (std::unique_lock lock(mutex); !over;) {
            std::mt19937_64 dice(seeds());
            lock.unlock();
            Position start = opening(dice, terms, judge);
            int first = play(start, &one, &other, terms),
                second = 2 - play(start, &other, &one, terms);
            lock.lock();
            if (over) return;
            ++score.pairs[first + second];
            over = is_over(score, terms);
        }
    };
    in_threads(terms.threads, [&](long) { work(); });
}

// ---- tuning -----------------------------------------------------------------------------------

// A parameter that is tuned, and how far it is moved in the last pair of games.
struct Tuned {
    string name;
    double step, value;
};

// Simultaneous perturbation stochastic approximation (SPSA) with Fishtest's schedule.  In each pair
// of games all values, moved in random directions, play against the values moved the opposite way.
// Then they are moved towards the winner.  Prints them now and then; ends after terms.games.
void tune(const string &folder, const Terms &terms, const Side &start, vector<Tuned> tuned) {
    constexpr double ALPHA = 0.602, GAMMA = 0.101, RATE = 0.004;    // the rate of the last pair
    const Knowledge known(folder, start.network);
    const double last = double(terms.games) / 2, delay = last / 10;
    Ideas judges;
    judges.fill_reductions();
    std::mt19937_64 seeds(uint64_t(terms.seed));
    std::mutex mutex;
    long pair = 0;
    auto work = [&] {
        Ideas ideas[2] = {start.ideas, start.ideas};
        Player one(known, ideas[0], double(terms.hash)), other(known, ideas[1], double(terms.hash)),
            judge(known, judges, 1);
        for (std::unique_lock lock(mutex); pair < long(last);) {
            std::mt19937_64 dice(seeds());
            const double widening = std::pow(last / double(++pair), GAMMA),
                         rate = RATE * std::pow((delay + last) / (delay + double(pair)), ALPHA) /
                                (widening * widening);
            vector<double> moves;
            for (const Tuned &each : tuned) {
                moves.push_back(each.step * widening * (dice() & 1 ? 1 : -1));
                for (int side : {0, 1}) {    // rounded at random, so that small moves count
                    double value = each.value + moves.back() * (side ? -1 : 1),
                           shift = double(dice() >> 11) / 9007199254740992.0;
                    ideas[side].named(each.name) = std::max(0, int(std::floor(value + shift)));
                }
            }
            lock.unlock();
            for (Ideas &each : ideas) each.fill_reductions();
            Position position = opening(dice, terms, judge);
            int first = play(position, &one, &other, terms),
                second = 2 - play(position, &other, &one, terms);
            lock.lock();
            for (size_t at = 0; at < tuned.size(); ++at)
                tuned[at].value += rate * moves[at] * (first + second - 2);
            if (pair % 1000 && pair < long(last)) continue;
            std::cout << 2 * pair << " games:";
            for (const Tuned &each : tuned)
                std::cout << " " << each.name << "=" << std::lround(each.value);
            std::cout << std::endl;
        }
    };
    in_threads(terms.threads, [&](long) { work(); });
}

// ---- two processes with one table -------------------------------------------------------------

// The nodes of each process when the first one has finished this depth.
vector<long> search_together(const Position &position, const Terms &terms, int processes,
                             const Knowledge &known, const Ideas &ideas) {
    Table table(64);
    Team team;
    Memory memories[2];
    vector<long> nodes(size_t(processes), 0);
    team.defer_from = int(terms.defer), team.ahead = int(terms.ahead);
    team.reorder = int(terms.reorder);
    auto work = [&](long number) {
        auto space = std::make_unique<Workspace>();
        Limits limits;
        limits.depth = int(terms.depth);
        Root root(position, table, memories[terms.shared ? 0 : number], *space, known, ideas,
                  limits, processes > 1 ? &team : nullptr, int(number));
        root.think();
        nodes[size_t(number)] = root.nodes;
    };
    in_threads(processes, work);
    return nodes;
}

void measure_threads(const Knowledge &known, const Ideas &ideas, const Terms &terms) {
    double sum = 0, squares = 0, both = 0;
    int count = 0;
    for (string line; std::getline(std::cin, line);) {
        Position position = set_up(trimmed(line), false);
        long one = search_together(position, terms, 1, known, ideas)[0];
        vector<long> two = search_together(position, terms, 2, known, ideas);
        double gain = std::log(double(one) / double(two[0]));
        sum += gain, squares += gain * gain,
            both += std::log(double(two[0] + two[1]) / double(one));
        ++count;
    }
    double mean = sum / count;
    double error = 1.96 * std::sqrt((squares / count - mean * mean) / count);
    printf("%d positions: two are %.3f times as fast (%.3f to %.3f), with %.3f times the nodes\n",
           count, std::exp(mean), std::exp(mean - error), std::exp(mean + error),
           std::exp(both / count));
}

int main(int count, char **words) try {
    fill_geometry();
    fill_keys();
    string task = count > 1 ? words[1] : "";
    if (task == "ideas") {
#define X(name, value, meaning) printf("%-20s %5d  %s\n", #name, value, meaning);
        IDEAS(X)
#undef X
        return 0;
    }
    const std::set<string> tasks{"search", "match", "tune", "threads"};
    if (count < 3 || !tasks.count(task)) {
        std::cerr << "usage: twin search|match|tune|threads games/chess [network=FILE] [NAME=VALUE ...] "
                     "[NAME:STEP ...] [against [network=FILE] [NAME=VALUE ...]], or twin ideas"
                  << std::endl;
        return 2;
    }
    const string folder = words[2];
    Terms terms;
    Side sides[2];
    vector<Tuned> tuned;
    int side = 0;
    std::map<string, long *> numbers{
        {"nodes", &terms.nodes},     {"cost", &terms.cost},    {"games", &terms.games},
        {"seed", &terms.seed},       {"plies", &terms.plies},  {"hash", &terms.hash},
        {"depth", &terms.depth},     {"defer", &terms.defer},  {"ahead", &terms.ahead},
        {"reorder", &terms.reorder}, {"shared", &terms.shared}, {"threads", &terms.threads}};
    for (int index = 3; index < count; ++index) {
        string word = words[index], name = word.substr(0, word.find('=')),
               value = word.substr(word.find('=') + 1);
        if (word == "against") side = 1;
        else if (numbers.count(name)) *numbers[name] = atol(value.c_str());
        else if (name == "after") terms.before = Score(value);
        else if (name == "elo0") terms.elo0 = atof(value.c_str());
        else if (name == "elo1") terms.elo1 = atof(value.c_str());
        else if (name == "network") sides[side].network = value;
        else if (size_t at = word.find(':'); at != string::npos) {
            name = word.substr(0, at);
            tuned.push_back({name, atof(word.c_str() + at + 1), double(sides[0].ideas.named(name))});
        }
        else sides[side].ideas.set(word);
    }
    for (Side &one : sides) one.ideas.fill_reductions();
    if (terms.nodes == Terms().nodes && terms.cost == Terms().cost) terms.cost = 5000;
    if (task == "match") {
        run_match(folder, terms, sides);
        return 0;
    }
    if (task == "tune") {
        tune(folder, terms, sides[0], tuned);
        return 0;
    }
    const Knowledge known(folder, sides[0].network);
    if (task == "search") answer_questions(known, sides[0].ideas);
    else measure_threads(known, sides[0].ideas, terms);
} catch (const std::exception &error) {
    std::cerr << error.what() << std::endl;
    return 1;
}
