// Learns the weights of games/draughts/patterns.py from games against itself.
//
//     c++ -std=c++20 -O3 -march=native scripts/lab/twin/draughts.cpp -lz -o draughts
//     ./draughts games WEIGHTS SAMPLES SECONDS NODES SEED     # appends games to SAMPLES; WEIGHTS: - for none
//     ./draughts fit WEIGHTS SAMPLES...                       # writes WEIGHTS, the file of the engine
//     ./draughts match WEIGHTS WEIGHTS NODES GAMES SEED       # the points of the first
//     ./draughts perft DEPTH
//     ./draughts eval WEIGHTS < SAMPLES                       # the scores for the side to move
//
// With -DCOLUMNS=8 it plays Brazilian draughts, with -DENGLISH=1 -DCOLUMNS=8 checkers, else
// international draughts; it needs a processor with BMI2.  The board, its bits and the evaluation are the engine's; the search has the same steps,
// but isn't the same node for node.  Each game begins with random moves and continues with searches of
// NODES nodes.  A line of a position in which nothing can be captured is
//
//     WHITE BLACK WHITE_KINGS BLACK_KINGS COLOUR SCORE RESULT
//
// men and kings as hexadecimal bits, the colour to move (0 is White), the search's score in hundredths
// of a man, and the game's result, 1, 0 or -1, both for the side to move.  An empty line ends a game.
//
// The fit: the evaluation predicts the points of White as a logistic function of the score.  The label
// of a position is 0.3 of the points that its search's score stands for, and 0.7 of the label of the
// game's next position or, at the end, of the result (TD(lambda), Sutton 1988).  The loss is the
// cross-entropy, the method Adagrad (Duchi 2011).  Most contents of a pattern are rare.  So the blocks
// of two rows by two squares inside the patterns have weights as well, which are learned from fewer
// positions; at the end they are added to those of the patterns.  Of 10,000 positions, 500 are not used
// for the fit; the loss is measured on them.

#include <immintrin.h>
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <fstream>
#include <random>
#include <string>
#include <vector>
#include <zlib.h>

using u64 = uint64_t;
#ifndef COLUMNS
#define COLUMNS 10
#endif
#ifndef ENGLISH
#define ENGLISH 0
#endif
constexpr int HALF = COLUMNS / 2, LEFT = HALF, RIGHT = HALF + 1;
constexpr int SQUARES = COLUMNS * HALF, LAST = (COLUMNS / 2 - 1) * (COLUMNS + 1) + 2 * HALF - 1;
int SQ[SQUARES], NUM[64];
u64 FULL, ROW[COLUMNS];  // ROW[rank]
int RAYS[64][4][COLUMNS], RAYN[64][4];
u64 RAYB[64][4];

struct Pos {
  u64 m[2], k[2];
  int side, clock;
};
struct Move {
  u64 captured;
  uint8_t from, to;
  bool crown;
  int id() const { return from | to << 6; }
  bool operator==(const Move &o) const { return captured == o.captured && from == o.from && to == o.to; }
};
struct List {
  Move at[128];
  int n = 0;
};

void init_board() {
  for (int row = 0, i = 0; row < COLUMNS; row++)
    for (int p = 0; p < HALF; p++, i++) {
      int s = row / 2 * (COLUMNS + 1) + row % 2 * HALF + p;
      SQ[i] = s, NUM[s] = i, FULL |= 1ull << s, ROW[COLUMNS - 1 - row] |= 1ull << s;
    }
  const int step[4] = {-RIGHT, -LEFT, LEFT, RIGHT};
  for (int i = 0; i < SQUARES; i++)
    for (int d = 0; d < 4; d++) {
      int s = SQ[i], n = 0;
      while ((s += step[d]) >= 0 && s < 64 && FULL >> s & 1) RAYS[SQ[i]][d][n++] = s, RAYB[SQ[i]][d] |= 1ull << s;
      RAYN[SQ[i]][d] = n;
    }
}

inline int count(u64 b) { return __builtin_popcountll(b); }
inline int low(u64 b) { return __builtin_ctzll(b); }

u64 capturers(u64 men, u64 others, u64 empty, int side) {
  u64 down = men & ((others >> LEFT & empty >> 2 * LEFT) | (others >> RIGHT & empty >> 2 * RIGHT));
  u64 up = ((men >> LEFT & others) >> LEFT & empty) << 2 * LEFT | ((men >> RIGHT & others) >> RIGHT & empty) << 2 * RIGHT;
  return !ENGLISH ? up | down : side ? down : up;
}

struct Captures {
  List &list;
  int best = 1;
  u64 crown;
  int side;
  bool man = false;
  void add(int from, int to, u64 taken) {
    int n = count(taken);
    if (!ENGLISH && n < best) return;
    if (!ENGLISH && n > best) best = n, list.n = 0;
    Move mv{taken, (uint8_t)from, (uint8_t)to, man && (crown >> to & 1)};
    for (int i = 0; i < list.n; i++)
      if (list.at[i] == mv) return;
    if (list.n < 128) list.at[list.n++] = mv;
  }
  void jump(int from, int at, u64 others, u64 empty, u64 taken) {
    bool more = false, ends = ENGLISH && man && taken && crown >> at & 1;
    int first = ENGLISH && man ? 2 * side : 0, last = ENGLISH && man ? first + 2 : 4;
    for (int d = first; d < last && !ends; d++) {
      if (RAYN[at][d] < 2) continue;
      u64 over = 1ull << RAYS[at][d][0];
      int to = RAYS[at][d][1];
      if (!(over & others) || !(empty >> to & 1)) continue;
      more = true;
      jump(from, to, others ^ over, empty, taken | over);
    }
    if (!more && taken) add(from, at, taken);
  }
  void fly(int from, int at, u64 others, u64 empty, u64 taken) {
    bool more = false;
    for (int d = 0; d < 4; d++) {
      if (!(RAYB[at][d] & others)) continue;
      int n = RAYN[at][d], i = 0;
      const int *ray = RAYS[at][d];
      while (i < n && empty >> ray[i] & 1) i++;
      if (i >= n - 1) continue;
      u64 over = 1ull << ray[i];
      if (!(over & others)) continue;
      for (i++; i < n && empty >> ray[i] & 1; i++) {
        more = true;
        fly(from, ray[i], others ^ over, empty, taken | over);
      }
    }
    if (!more && taken) add(from, at, taken);
  }
};

void gen_captures(const Pos &p, List &list) {
  list.n = 0;
  u64 men = p.m[p.side], kings = p.k[p.side], others = p.m[!p.side] | p.k[!p.side];
  u64 empty = FULL ^ (men | kings | others), starts = capturers(men, others, empty, p.side);
  Captures c{list};
  c.side = p.side;
  c.crown = p.side ? ROW[0] : ROW[COLUMNS - 1];
  c.man = true;
  for (; starts; starts &= starts - 1) c.jump(low(starts), low(starts), others, empty | (starts & -starts), 0);
  c.man = false;
  for (; kings; kings &= kings - 1)
    if (ENGLISH)
      c.jump(low(kings), low(kings), others, empty | (kings & -kings), 0);
    else
      c.fly(low(kings), low(kings), others, empty | (kings & -kings), 0);
}
bool can_capture(const Pos &p, int side) {
  u64 others = p.m[!side] | p.k[!side], empty = FULL ^ (p.m[side] | p.k[side] | others);
  if (capturers(p.m[side], others, empty, side)) return true;
  if (!p.k[side]) return false;
  Pos q = p;
  q.side = side;
  List list;
  gen_captures(q, list);
  return list.n > 0;
}
void gen_quiets(const Pos &p, List &list) {
  list.n = 0;
  u64 men = p.m[p.side], empty = FULL ^ (p.m[0] | p.m[1] | p.k[0] | p.k[1]);
  u64 crown = p.side ? ROW[0] : ROW[COLUMNS - 1];
  for (int i = 0; i < 2; i++) {
    int shift = i ? RIGHT : LEFT;
    u64 to = p.side ? men << shift & empty : men >> shift & empty;
    for (; to; to &= to - 1) {
      int t = low(to);
      list.at[list.n++] = {0, (uint8_t)(p.side ? t - shift : t + shift), (uint8_t)t, (bool)(crown >> t & 1)};
    }
  }
  for (u64 kings = p.k[p.side]; kings; kings &= kings - 1) {
    int s = low(kings);
    for (int d = 0; d < 4; d++)
      for (int i = 0; i < (ENGLISH ? std::min(RAYN[s][d], 1) : RAYN[s][d]) && empty >> RAYS[s][d][i] & 1; i++)
        if (list.n < 128) list.at[list.n++] = {0, (uint8_t)s, (uint8_t)RAYS[s][d][i], false};
  }
}
void gen(const Pos &p, List &list) {
  gen_captures(p, list);
  if (!list.n) gen_quiets(p, list);
}
Pos after(const Pos &p, const Move &mv) {
  Pos q = p;
  int s = p.side;
  u64 from = 1ull << mv.from, to = 1ull << mv.to;
  if (p.k[s] & from) {
    q.k[s] ^= from, q.k[s] |= to;
    q.clock = mv.captured ? 0 : q.clock + 1;
  } else {
    q.m[s] ^= from;
    (mv.crown ? q.k[s] : q.m[s]) |= to;
    q.clock = 0;
  }
  q.m[!s] &= ~mv.captured, q.k[!s] &= ~mv.captured;
  q.side = !s;
  return q;
}
Pos start() {
  Pos p{};
  p.side = ENGLISH;
  int men = HALF * (COLUMNS / 2 - 1);
  for (int i = 0; i < men; i++) p.m[1] |= 1ull << SQ[i], p.m[0] |= 1ull << SQ[SQUARES - 1 - i];
  return p;
}
u64 perft(const Pos &p, int depth) {
  List list;
  gen(p, list);
  if (depth <= 1) return list.n;
  u64 n = 0;
  for (int i = 0; i < list.n; i++) n += perft(after(p, list.at[i]), depth - 1);
  return n;
}

// ---- the evaluation -------------------------------------------------------------------------

constexpr int CONTENTS = 19683, TOPS = (COLUMNS - 2) / 2, PATTERNS = 2 * TOPS;
constexpr int KINGS = PATTERNS * CONTENTS, MOVE = KINGS + SQUARES, SIZE = MOVE + 1;
constexpr int PHASES = 3;
constexpr int SCALE = 4, MAN = 100, ADVANCE = ENGLISH ? 2 : 1, KING = ENGLISH ? 140 : 300;
constexpr int DRAWN = ENGLISH ? 80 : 50, DECIDED = ENGLISH ? 400 : 600;  // plies; hundredths
u64 MASK[PATTERNS];
int TERNARY[512];
int PIECES[PATTERNS][9];
float PRIOR[PATTERNS][9][3];
// The phases have their full weight at a tenth, a half and nine tenths of the pieces.
constexpr int STAGE_PIECES = 4, BEGINS = SQUARES - COLUMNS;
void phase_of(int pieces, int &phase, float &share) {  // the share of phase + 1
  int stage = std::max(pieces - 1, 0) / STAGE_PIECES;
  double place = std::clamp(((stage + 0.5) * STAGE_PIECES / BEGINS - 0.1) / 0.4, 0.0, PHASES - 1.0);
  phase = std::min(int(place), PHASES - 2);
  share = float(std::nearbyint((place - phase) * 32) / 32);
}
std::vector<float> W;  // [phase][SIZE], in hundredths, the prior included
inline u64 turned(u64 b) {
  u64 r = b;
  r = __builtin_bswap64(r);
  r = (r >> 4 & 0x0f0f0f0f0f0f0f0full) | (r & 0x0f0f0f0f0f0f0f0full) << 4;
  r = (r >> 2 & 0x3333333333333333ull) | (r & 0x3333333333333333ull) << 2;
  r = (r >> 1 & 0x5555555555555555ull) | (r & 0x5555555555555555ull) << 1;
  return r >> (63 - LAST);
}
void init_eval() {
  int cover[64] = {};
  for (int top = 0; top < TOPS; top++)
    for (int side = 0; side < 2; side++) {
      int i = 2 * top + side;
      for (int r = 0; r < 3; r++)
        for (int c = 0; c < 3; c++) {
          int s = SQ[(top + r) * HALF + side * (HALF - 3) + c];
          MASK[i] |= 1ull << s, PIECES[i][r * 3 + c] = s;
          cover[s]++, cover[LAST - s]++;
        }
    }
  for (int i = 0; i < 512; i++)
    for (int b = 0, p = 1; b < 9; b++, p *= 3) TERNARY[i] += i >> b & 1 ? p : 0;
  for (int i = 0; i < PATTERNS; i++)
    for (int j = 0; j < 9; j++) {
      int s = PIECES[i][j], rank = COLUMNS - 1 - NUM[s] / HALF;
      PRIOR[i][j][0] = 0;
      PRIOR[i][j][1] = float(MAN + ADVANCE * rank) / cover[s];
      PRIOR[i][j][2] = -float(MAN + ADVANCE * (COLUMNS - 1 - rank)) / cover[s];
    }
}
float prior_of(int at) {
  if (at < KINGS) {
    float v = 0;
    for (int j = 0, c = at % CONTENTS; j < 9; j++, c /= 3) v += PRIOR[at / CONTENTS][j][c % 3];
    return v;
  }
  return at < MOVE ? KING : 0;
}
bool drawish(int wk, int bk, int pieces) { return !ENGLISH && wk && bk && pieces <= 6; }
int evaluate(const Pos &p) {
  int pieces = count(p.m[0] | p.m[1] | p.k[0] | p.k[1]), at;
  float share;
  phase_of(pieces, at, share);
  const float *lo = &W[at * SIZE], *hi = lo + SIZE;
  u64 tw = turned(p.m[1]), tb = turned(p.m[0]);
  float a = 0, b = 0;
  for (int i = 0; i < PATTERNS; i++) {
    int x = i * CONTENTS + TERNARY[_pext_u64(p.m[0], MASK[i])] + 2 * TERNARY[_pext_u64(p.m[1], MASK[i])];
    int y = i * CONTENTS + TERNARY[_pext_u64(tw, MASK[i])] + 2 * TERNARY[_pext_u64(tb, MASK[i])];
    a += lo[x] - lo[y], b += hi[x] - hi[y];
  }
  for (u64 k = p.k[0]; k; k &= k - 1) a += lo[KINGS + NUM[low(k)]], b += hi[KINGS + NUM[low(k)]];
  for (u64 k = p.k[1]; k; k &= k - 1)
    a -= lo[KINGS + SQUARES - 1 - NUM[low(k)]], b -= hi[KINGS + SQUARES - 1 - NUM[low(k)]];
  float s = a + (b - a) * share;
  if (drawish(p.k[0] != 0, p.k[1] != 0, pieces)) s /= 8;
  float mv = lo[MOVE] + (hi[MOVE] - lo[MOVE]) * share;
  return (int)std::floor(p.side ? mv - s : mv + s);
}
void load(const char *path) {
  W.assign(PHASES * SIZE, 0);
  std::vector<int16_t> raw(PHASES * SIZE);
  if (strcmp(path, "-")) {
    std::ifstream file(path, std::ios::binary);
    std::string made, packed;
    std::getline(file, made);
    packed.assign(std::istreambuf_iterator<char>(file), {});
    uLongf bytes = raw.size() * 2;
    if (uncompress((Bytef *)raw.data(), &bytes, (const Bytef *)packed.data(), packed.size()) != Z_OK)
      fprintf(stderr, "%s has no weights\n", path), exit(1);
  }
  for (int ph = 0; ph < PHASES; ph++)
    for (int i = 0; i < SIZE; i++) W[ph * SIZE + i] = prior_of(i) + raw[ph * SIZE + i] / float(SCALE);
}

// ---- the search -----------------------------------------------------------------------------

constexpr int WIN = 30000, MAXS = 20000;
inline u64 mix(u64 x) {
  x ^= x >> 32, x *= 0xd6e8feb86659fd93ull, x ^= x >> 32, x *= 0xd6e8feb86659fd93ull;
  return x ^ x >> 32;
}
u64 key_of(const Pos &p) {
  return mix(p.m[0] + mix(p.m[1] + 0x9e3779b97f4a7c15ull * (p.side + 1) + mix(p.k[0] + mix(p.k[1] + 77))));
}
struct Entry {
  u64 key;
  int16_t score, move;
  int8_t depth;
  uint8_t bound;
  uint16_t extra;
};
struct Abort {};
struct Search {
  std::vector<Entry> table = std::vector<Entry>(1 << 17);
  int history[2][4096] = {};
  int killers[256][2] = {};
  u64 path[600];
  int base = 0;
  u64 nodes = 0, limit = 0;
  Move root_best;
  int root_score = 0;
  int red[64][128];
  Search() {
    for (int d = 0; d < 64; d++)
      for (int n = 0; n < 128; n++) red[d][n] = int(0.6 + log(std::max(d, 1)) * log(std::max(n, 1)) / 2.4);
  }
  void clear() {
    std::fill(table.begin(), table.end(), Entry{});
    memset(history, 0, sizeof history), memset(killers, 0, sizeof killers);
  }
  int quiesce(const Pos &p, int alpha, int beta, int ply, bool dodges = true) {
    nodes++;
    List list;
    gen_captures(p, list);
    if (!list.n) {
      int score = evaluate(p);
      if (score <= alpha || !dodges || !can_capture(p, !p.side) || ply > 200) {
        if (p.k[p.side]) return score;
        u64 empty = FULL ^ (p.m[0] | p.m[1] | p.k[0] | p.k[1]), m = p.m[p.side];
        return (p.side ? (m << LEFT | m << RIGHT) : (m >> LEFT | m >> RIGHT)) & empty ? score : ply - WIN;
      }
      gen_quiets(p, list);
    }
    int best = list.n ? -WIN : ply - WIN;
    for (int i = 0; i < list.n; i++) {
      int s = -quiesce(after(p, list.at[i]), -beta, -alpha, ply + 1, list.at[i].captured != 0);
      if (s > best) {
        best = s;
        if (s > alpha) {
          alpha = s;
          if (s >= beta) break;
        }
      }
    }
    return best;
  }
  int search(const Pos &p, int depth, int alpha, int beta, int ply) {
    if (depth <= 0) return quiesce(p, alpha, beta, ply);
    if (++nodes > limit && ply) throw Abort();
    u64 key = key_of(p);
    path[base + ply] = key;
    bool pv = beta - alpha > 1;
    if (ply && p.clock > 3) {
      for (int i = 4; i <= p.clock && i <= base + ply; i += 2)
        if (path[base + ply - i] == key) return 0;
      if (p.clock >= DRAWN) return 0;
      int pieces = count(p.m[0] | p.m[1] | p.k[0] | p.k[1]);
      if (!ENGLISH && pieces <= 4 && p.clock >= (pieces == 4 ? 32 : 10) &&
          (count(p.m[0] | p.k[0]) == 1 ? p.k[0] : count(p.m[1] | p.k[1]) == 1 ? p.k[1] : 0))
        return 0;
    }
    if (ply > 150) return evaluate(p);
    Entry &e = table[key & (table.size() - 1)];
    int tmove = -1;
    if (e.key == key) {
      tmove = e.move;
      if (e.depth >= depth && !pv) {
        int s = e.score;
        if (s > MAXS) s -= ply;
        if (s < -MAXS) s += ply;
        if (e.bound == 3 || (e.bound == 1 ? s >= beta : s <= alpha)) return s;
      }
    } else if (depth >= 4)
      depth--;
    List list;
    gen_captures(p, list);
    bool forced = list.n > 0;
    int st = 0;
    if (!forced) {
      st = evaluate(p);
      if (!pv && std::abs(beta) < MAXS) {
        if (depth <= 3 && st - 60 * depth >= beta) return st;
        if (depth >= 4) {
          int bound = beta + 10 * depth, s = search(p, depth * 2 / 5, bound - 1, bound, ply);
          if (s >= bound) return s - 10 * depth;
        }
      }
      gen_quiets(p, list);
    }
    if (!list.n) return ply - WIN;
    int order[128], rank[128];
    if (list.n == 1) depth++;
    for (int i = 0; i < list.n; i++) {
      int id = list.at[i].id();
      rank[i] = forced ? (id == tmove ? 1 : 0)
                : id == tmove          ? 1 << 30
                : id == killers[ply][0] ? 1 << 29
                : id == killers[ply][1] ? 1 << 28
                                        : history[p.side][id];
      order[i] = i;
    }
    std::stable_sort(order, order + list.n, [&](int a, int b) { return rank[a] > rank[b]; });
    int best = -WIN, old = alpha, bmove = tmove, hope = st + 60 * (depth + 1);
    bool futile = ENGLISH && depth <= 3 && hope <= alpha && !forced && !pv;
    if (futile) best = hope;
    for (int n = 1; n <= list.n; n++) {
      const Move &mv = list.at[order[n - 1]];
      if (futile && n > 1 && !mv.crown) continue;
      Pos q = after(p, mv);
      int s, r = 0;
      if (depth >= 3 && !forced && n > 3) r = std::max(std::min(red[std::min(depth, 63)][n] - pv, depth - 2), 0);
      if (pv && n == 1)
        s = -search(q, depth - 1, -beta, -alpha, ply + 1);
      else {
        s = -search(q, depth - 1 - r, -alpha - 1, -alpha, ply + 1);
        if (r && s > alpha) s = -search(q, depth - 1, -alpha - 1, -alpha, ply + 1);
        if (pv && s > alpha && s < beta) s = -search(q, depth - 1, -beta, -alpha, ply + 1);
      }
      if (s > best) {
        best = s;
        if (s > alpha) {
          alpha = s, bmove = mv.id();
          if (!ply) root_best = mv, root_score = s;
          if (s >= beta) {
            if (!forced) {
              if (killers[ply][0] != mv.id()) killers[ply][1] = killers[ply][0], killers[ply][0] = mv.id();
              int &h = history[p.side][mv.id()];
              h += depth * depth;
              if (h > 1 << 14)
                for (int &x : history[p.side]) x /= 2;
            }
            break;
          }
        }
      }
    }
    int s = best > MAXS ? best + ply : best < -MAXS ? best - ply : best;
    e = {key, (int16_t)s, (int16_t)bmove, (int8_t)std::min(depth, 100), uint8_t(best >= beta ? 1 : best > old ? 3 : 2), 0};
    return best;
  }
  int think(const Pos &p, u64 n, Move &best) {
    nodes = 0, limit = n;
    List list;
    gen(p, list);
    root_best = list.at[0], root_score = 0;
    int score = 0;
    try {
      for (int d = 1; d < 60 && nodes < n * 3 / 4; d++) {
        search(p, d, -WIN - 1, WIN + 1, 0);
        score = root_score;
        if (std::abs(score) > MAXS) break;
      }
    } catch (Abort &) {
      score = root_score;
    }
    best = root_best;
    return score;
  }
};

// ---- games ----------------------------------------------------------------------------------

void play(Search &s, std::mt19937_64 &rng, u64 nodes, FILE *out) {
  Pos p = start();
  List list;
  for (int n = 3 + rng() % 12; n; n--) {
    gen(p, list);
    if (!list.n) return;
    p = after(p, list.at[rng() % list.n]);
  }
  s.clear();
  s.base = 0;
  int result = 0, won = 0;
  struct Line { Pos p; int score; };
  std::vector<Line> lines;
  for (int ply = 0; ply < 200; ply++) {
    gen(p, list);
    if (!list.n) {
      result = p.side ? 1 : -1;
      break;
    }
    int pieces = count(p.m[0] | p.m[1] | p.k[0] | p.k[1]);
    if (p.clock >= DRAWN) break;
    if (p.clock >= 30 && drawish(p.k[0] != 0, p.k[1] != 0, pieces)) break;
    s.path[s.base] = key_of(p);
    Move mv = list.at[0];
    if (list.n > 1) {
      int score = s.think(p, nodes, mv);
      score = std::clamp(score, -2000, 2000);
      if (!list.at[0].captured) lines.push_back({p, score});
      int abs = p.side ? -score : score;
      won = std::abs(abs) >= DECIDED ? won + 1 : 0;
      if (won > 4) {
        result = abs > 0 ? 1 : -1;
        break;
      }
    }
    p = after(p, mv);
    if (++s.base > 400) break;
    if (p.clock == 0) s.base = 0;
    int seen = 0;
    for (int i = 0; i < s.base; i++) seen += s.path[i] == key_of(p);
    if (seen >= 2) break;
  }
  for (auto &l : lines)
    fprintf(out, "%llx %llx %llx %llx %d %d %d\n", (unsigned long long)l.p.m[0], (unsigned long long)l.p.m[1],
            (unsigned long long)l.p.k[0], (unsigned long long)l.p.k[1], l.p.side, l.score, l.p.side ? -result : result);
  fprintf(out, "\n");
}

// ---- the fit --------------------------------------------------------------------------------

constexpr int SMALL = 81, BLOCKS = (COLUMNS / 2) * (HALF - 1);
constexpr int ALL = SIZE + SMALL * BLOCKS;
u64 BLOCK[BLOCKS];
struct Sample {
  Pos p;
  float label, result;
  bool held, last;
};
double points(double s) { return 1 / (1 + exp(-std::clamp(s / 110, -30.0, 30.0))); }
struct Features {
  int at[160];
  float sign[160];
  int n = 0;
  void add(int a, float s) { at[n] = a, sign[n++] = s; }
};
void features(const Pos &p, Features &f) {
  f.n = 0;
  u64 tw = turned(p.m[1]), tb = turned(p.m[0]);
  for (int i = 0; i < PATTERNS; i++) {
    f.add(i * CONTENTS + TERNARY[_pext_u64(p.m[0], MASK[i])] + 2 * TERNARY[_pext_u64(p.m[1], MASK[i])], 1);
    f.add(i * CONTENTS + TERNARY[_pext_u64(tw, MASK[i])] + 2 * TERNARY[_pext_u64(tb, MASK[i])], -1);
  }
  for (int i = 0; i < BLOCKS; i++) {
    f.add(SIZE + i * SMALL + TERNARY[_pext_u64(p.m[0], BLOCK[i])] + 2 * TERNARY[_pext_u64(p.m[1], BLOCK[i])], 1);
    f.add(SIZE + i * SMALL + TERNARY[_pext_u64(tw, BLOCK[i])] + 2 * TERNARY[_pext_u64(tb, BLOCK[i])], -1);
  }
  for (u64 k = p.k[0]; k; k &= k - 1) f.add(KINGS + NUM[low(k)], 1);
  for (u64 k = p.k[1]; k; k &= k - 1) f.add(KINGS + SQUARES - 1 - NUM[low(k)], -1);
  if (drawish(p.k[0] != 0, p.k[1] != 0, count(p.m[0] | p.m[1] | p.k[0] | p.k[1])))
    for (int i = 0; i < f.n; i++) f.sign[i] /= 8;
  f.add(MOVE, p.side ? -1 : 1);
}
// LATER: the share of the next label.  RATE: a weight's first step, in hundredths of a man; those of the
// patterns are PATTERN_SHARE as large.
constexpr double LATER = 0.7, RATE = ENGLISH ? 6 : 3, PATTERN_SHARE = ENGLISH ? 1 : 0.3;
constexpr int ROUNDS = 6;

int fit(int argc, char **argv) {
  const char *out = argv[2];
  const double later = LATER, share = PATTERN_SHARE;
  for (int r = 0, i = 0; r < COLUMNS / 2; r++)
    for (int c = 0; c < HALF - 1; c++, i++)
      for (int d = 0; d < 4; d++) BLOCK[i] |= 1ull << SQ[(r + d / 2) * HALF + c + d % 2];
  std::vector<Sample> samples;
  size_t number = 0;
  for (int a = 3; a < argc; a++) {
    std::ifstream f(argv[a]);
    std::string line;
    while (std::getline(f, line)) {
      Sample s{};
      int score, result;
      if (sscanf(line.c_str(), "%lx %lx %lx %lx %d %d %d", &s.p.m[0], &s.p.m[1], &s.p.k[0], &s.p.k[1], &s.p.side, &score, &result) != 7) {
        if (samples.size()) samples.back().last = true;
        continue;
      }
      int sign = s.p.side ? -1 : 1;
      s.label = points(sign * score), s.result = (1 + sign * result) / 2.0;
      s.held = number++ / 500 % 20 == 0;
      samples.push_back(s);
    }
    samples.back().last = true;
  }
  for (size_t i = samples.size(); i-- > 0;) {
    double rest = samples[i].last ? samples[i].result : samples[i + 1].label;
    samples[i].label += later * (rest - samples[i].label);
  }
  fprintf(stderr, "%zu positions\n", samples.size());
  std::vector<float> w(PHASES * ALL, 0), g(PHASES * ALL, 1);
  for (int ph = 0; ph < PHASES; ph++)
    for (int i = 0; i < SIZE; i++) w[ph * ALL + i] = prior_of(i);
  std::vector<size_t> order;
  for (size_t i = 0; i < samples.size(); i++)
    if (!samples[i].held) order.push_back(i);
  std::mt19937_64 rng(1);
  Features f;
  auto loss = [&] {  // the cross-entropy minus its least possible value
    double total = 0, base = 0;
    size_t n = 0;
    for (auto &s : samples)
      if (s.held) {
        features(s.p, f);
        int at;
        float sh;
        double a = 0;
        phase_of(count(s.p.m[0] | s.p.m[1] | s.p.k[0] | s.p.k[1]), at, sh);
        const float *lo = &w[at * ALL], *hi = lo + ALL;
        for (int i = 0; i < f.n; i++) a += f.sign[i] * (lo[f.at[i]] * (1 - sh) + hi[f.at[i]] * sh);
        double guess = points(a);
        total -= s.label * log(guess + 1e-9) + (1 - s.label) * log(1 - guess + 1e-9);
        base -= s.label * log(s.label + 1e-9) + (1 - s.label) * log(1 - s.label + 1e-9);
        n++;
      }
    return (total - base) / n;
  };
  fprintf(stderr, "start %.5f\n", loss());
  for (int turn = 0; turn < ROUNDS; turn++) {
    std::shuffle(order.begin(), order.end(), rng);
    for (size_t k = 0; k < order.size(); k++) {
      double r0 = RATE * (1 - (turn + double(k) / order.size()) / ROUNDS);
      auto &s = samples[order[k]];
      features(s.p, f);
      int at;
      float sh;
        double a = 0;
      phase_of(count(s.p.m[0] | s.p.m[1] | s.p.k[0] | s.p.k[1]), at, sh);
      float *lo = &w[at * ALL], *hi = lo + ALL, *gl = &g[at * ALL], *gh = gl + ALL;
      for (int i = 0; i < f.n; i++) a += f.sign[i] * (lo[f.at[i]] * (1 - sh) + hi[f.at[i]] * sh);
      double error = points(a) - s.label;
      for (int i = 0; i < f.n; i++) {
        int x = f.at[i];
        double step = x >= KINGS ? r0 : r0 * share;
        double e1 = error * f.sign[i] * (1 - sh), e2 = error * f.sign[i] * sh;
        gl[x] += e1 * e1, gh[x] += e2 * e2;
        lo[x] -= step * e1 / std::sqrt(gl[x]), hi[x] -= step * e2 / std::sqrt(gh[x]);
      }
    }
    fprintf(stderr, "round %d loss %.5f\n", turn + 1, loss());
  }
  std::vector<int16_t> raw;
  for (int ph = 0; ph < PHASES; ph++) {
    std::vector<float> v(&w[ph * ALL], &w[ph * ALL] + SIZE);
    for (int b = 0; b < BLOCKS; b++) {
      int i = 0;
      while ((MASK[i] & BLOCK[b]) != BLOCK[b]) i++;
      u64 inside = _pext_u64(BLOCK[b], MASK[i]);
      for (int c = 0; c < CONTENTS; c++) {
        int own = 0, other = 0;
        for (int j = 0, x = c; j < 9; j++, x /= 3) own |= (x % 3 == 1) << j, other |= (x % 3 == 2) << j;
        v[i * CONTENTS + c] += w[ph * ALL + SIZE + b * SMALL + TERNARY[_pext_u64(own, inside)] + 2 * TERNARY[_pext_u64(other, inside)]];
      }
    }
    for (int i = 0; i < SIZE; i++) raw.push_back((int16_t)std::clamp((int)lrint(SCALE * (v[i] - prior_of(i))), -8000, 8000));
  }
  uLongf bytes = compressBound(raw.size() * 2);
  std::vector<Bytef> packed(bytes);
  compress2(packed.data(), &bytes, (const Bytef *)raw.data(), raw.size() * 2, 9);
  FILE *file = fopen(out, "wb");
  fprintf(file, "fitted to %zu positions of games of the engine against itself\n", samples.size());
  fwrite(packed.data(), 1, bytes, file);
  fclose(file);
  return 0;
}

int main(int argc, char **argv) {
  init_board(), init_eval();
  std::string what = argc > 1 ? argv[1] : "";
  if (what == "perft") {
    for (int d = 1; d <= atoi(argv[2]); d++) printf("%llu\n", (unsigned long long)perft(start(), d));
  } else if (what == "games") {
    load(argv[2]);
    FILE *out = fopen(argv[3], "a");
    std::mt19937_64 rng(atoi(argv[6]));
    static Search s;
    double until = atof(argv[4]);
    int games = 0;
    while (clock() / double(CLOCKS_PER_SEC) < until) play(s, rng, atoi(argv[5]), out), games++, fflush(out);
    fprintf(stderr, "%d games\n", games);
  } else if (what == "fit")
    return fit(argc, argv);
  else if (what == "eval") {
    load(argv[2]);
    char buf[512];
    while (fgets(buf, 512, stdin)) {
      Pos p{};
      if (sscanf(buf, "%lx %lx %lx %lx %d", &p.m[0], &p.m[1], &p.k[0], &p.k[1], &p.side) == 5) printf("%d\n", evaluate(p));
    }
  } else if (what == "match") {
    static Search s[2];
    std::vector<float> w[2];
    load(argv[2]), w[0] = W, load(argv[3]), w[1] = W;
    u64 nodes = atoi(argv[4]);
    std::mt19937_64 rng(atoi(argv[6]));
    int win = 0, draw = 0, loss = 0;
    Pos first{};
    for (int n = 0; n < atoi(argv[5]); n++) {
      List list;
      if (n % 2 == 0) {
      again:
        first = start();
        for (int i = 0; i < 6; i++) {
          gen(first, list);
          if (!list.n) goto again;
          first = after(first, list.at[rng() % list.n]);
        }
      }
      Pos p = first;
      s[0].clear(), s[1].clear(), s[0].base = s[1].base = 0;
      int r = 0, won = 0;
      for (int ply = 0; ply < 200; ply++) {
        gen(p, list);
        int who = p.side ^ (n & 1);
        if (!list.n) { r = who ? 1 : -1; break; }
        if (p.clock >= DRAWN) break;
        int pieces = count(p.m[0] | p.m[1] | p.k[0] | p.k[1]);
        if (p.clock >= 20 && drawish(p.k[0] != 0, p.k[1] != 0, pieces)) break;
        s[0].path[s[0].base] = s[1].path[s[0].base] = key_of(p);
        Move mv = list.at[0];
        if (list.n > 1) {
          std::swap(W, w[who]);
          int sc = s[who].think(p, nodes, mv);
          std::swap(W, w[who]);
          if (who) sc = -sc;
          won = sc > DECIDED ? std::max(won, 0) + 1 : sc < -DECIDED ? std::min(won, 0) - 1 : 0;
          if (std::abs(won) >= 8) { r = won > 0 ? 1 : -1; break; }
        }
        p = after(p, mv);
        s[0].base++, s[1].base++;
        if (p.clock == 0) s[0].base = s[1].base = 0;
      }
      (r > 0 ? win : r < 0 ? loss : draw)++;
    }
    int g = win + draw + loss;
    double m = (win + draw / 2.0) / g, var = (win * (1 - m) * (1 - m) + draw * (0.5 - m) * (0.5 - m) + loss * m * m) / g;
    printf("+%d =%d -%d  %.3f +- %.3f\n", win, draw, loss, m, 1.96 * sqrt(var / g));
  }
}
