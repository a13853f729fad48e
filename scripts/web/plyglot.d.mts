/** Where the files are and how the engine listens; all have defaults. */
export interface Settings {
  /** The folder of plyglot.js, plyglot.tar.gz, games/ and pyodide/; that of this module by default. */
  files?: string | URL;
  /** Pyodide's folder, if it isn't beside plyglot.js. */
  pyodide?: string;
  /** How messages arrive during a search; by default the best way that works here. */
  mode?: "suspend" | "share" | "block";
  /** Another program of the project than the engine: "module:function". */
  program?: string;
}

/** The result of a search. */
export interface Found {
  /** The best move as in UCI; null if there is none. */
  move: string | null;
  /** The reply that the engine expects. */
  ponder: string | null;
  /** All lines of the search, the last is that of `bestmove`. */
  lines: string[];
}

/** A separate engine, in a worker (in a page) or a thread (under Node). */
export class Plyglot {
  constructor(settings?: Settings);
  /** Send a line of UCI or of another protocol. */
  send(line: string): void;
  /** Call `listener` with each line of the engine; return a function that ends this. */
  onLine(listener: (line: string) => void): () => void;
  /** Search: "depth 8", "movetime 500" or any other limits of UCI's `go`.  Reject if the engine fails. */
  go(limits?: string): Promise<Found>;
  /** End the engine; searches that run are rejected. */
  terminate(): void;
}
