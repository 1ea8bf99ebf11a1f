/**
 * What a codemode script can use. A script is the body of an async function, so
 * top-level `await` and `return` work; what it returns is the report's value.
 * Its first line may lower the host's limits:
 *
 *     // @options: {"timeout_ms": 5000, "max_output_tokens": 2000}
 *
 * It may be TypeScript and import relative files of the project (.ts .js .mjs
 * .json). There is no process, network, environment or package besides what is
 * declared here. Calls run one at a time in the order the script made them, however it
 * awaits them; one that is not awaited still runs, and its unhandled failure
 * fails the run. Once the script has failed or was stopped, calls not yet begun
 * are not carried out (ABORTED). Nothing is ever rolled back.
 */
declare const tools: {
  /** Removes one file, link or whole directory. Links, also those inside, are unlinked, never followed. */
  delete(args: DeleteArgs): Promise<Receipt>;
  /** Copies to exactly `target`. A file overwrites a file; a directory is merged into one: files both have are overwritten, others kept. A link stays a link. */
  copy(args: CopyArgs): Promise<Receipt>;
  /** Puts an object at exactly `target`. A file overwrites a file; a directory replaces a directory: what only the old one had is gone. Works across file systems. */
  move(args: MoveArgs | MoveParams): Promise<Receipt>;
  /** Writes a file: a new one, or with `overwrite` one that this run has read or written (NOT_READ, STALE_READ). It appears whole, in one step; the mode of an existing one stays. */
  write(args: WriteText | WriteBytes): Promise<Receipt>;
  /** Changes a UTF-8 file. All edits are held against the text as it is, and all apply or none does (EDIT_NO_MATCH, EDIT_AMBIGUOUS, EDIT_OVERLAP). Line ends, BOM and mode stay. */
  edit(args: EditArgs): Promise<Receipt>;
  /** Makes a directory. One that exists is fine. */
  mkdir(args: MkdirArgs): Promise<Receipt>;
  /** Entries of a directory, sorted by name. */
  list(args: ListArgs): Promise<Listing>;
  /** One object; of a symbolic link, the link itself. Rejects with ENOENT when there is none. */
  stat(args: StatArgs): Promise<Entry>;
  /** A file's content, links followed. */
  read(args: ReadArgs): Promise<Content>;
  /** Paths that match a pattern: `*`, `**`, `?`, `[a-z]`, `{a,b}`. Names with a leading dot match too. They start with `path`, so they can be passed on as they are. */
  glob(args: GlobArgs): Promise<Globbed>;
  /** Lines that contain a text, in all files but binary ones and Git's own; the first hit of each line. */
  search(args: SearchArgs): Promise<SearchResult>;
};

/**
 * Absolute, or relative to the working directory. Nothing in it is expanded:
 * `~`, `$`, `*` and `%` are ordinary characters. Only a primitive string is
 * accepted. A byte of a name that is not UTF-8 is the lone surrogate
 * U+DC80–U+DCFF; pass such a name on as you got it. A slash at the end means
 * "must be a directory". A last component that is a link is never followed by
 * operations and stat.
 */
type Path = string;

interface DeleteArgs { path: Path }
interface CopyArgs {
  path: Path;
  /** The resulting object, never a directory to put the source into. Missing parents are made. A link there is refused, so is another kind of object. */
  target: Path;
  /** false: an existing target is refused (TARGET_EXISTS). true: also what this run itself put there may be overwritten. Absent: others may, own results not (OVERWRITES_OWN_RESULT). */
  overwrite?: boolean;
}
interface MoveArgs { path: Path; target: Path; overwrite?: boolean }
/** The other parameter set of move; the two cannot be mixed. */
interface MoveParams {
  src: Path;
  /** The new path. Absent or null: `delete` must be true, and src is deleted. */
  dst?: Path | null;
  /** Default false: an existing dst is refused. true: it is replaced; a file must have been read before (NOT_READ, STALE_READ). */
  overwrite?: boolean;
  /** Default false: a missing parent of dst is ENOENT. */
  create_dirs?: boolean;
  /** Default false. Confirms deletion; not together with dst. */
  delete?: boolean;
}
/** append: add to the end. unread: overwrite what was not read, too. create_dirs: make missing parents. */
interface WriteText { path: Path; text: string; overwrite?: boolean; append?: boolean; unread?: boolean; create_dirs?: boolean }
/** bytes: base64. */
interface WriteBytes { path: Path; bytes: string; overwrite?: boolean; append?: boolean; unread?: boolean; create_dirs?: boolean }
interface EditArgs { path: Path; edits: (FindEdit | RangeEdit)[] }
/** find: exact text that occurs once, or with `all` at least once. Where all lines end in CRLF, "\n" means that. */
interface FindEdit { find: string; replace: string; all?: boolean }
/** A part of a text that was read in this run. */
interface RangeEdit { range: { start: TextPosition; end: TextPosition }; replace: string }
/** An index into the text, or line and column, from 1. */
type TextPosition = number | LineColumn;
interface LineColumn { line: number; column: number }
/** overwrite: false refuses a directory that exists (TARGET_EXISTS); create_dirs: false makes no parents. */
interface MkdirArgs { path: Path; overwrite?: boolean; create_dirs?: boolean }
/** limit: at most so many entries, default 10000. */
interface ListArgs { path: Path; recursive?: boolean; limit?: number }
/** follow: what a link points to, with `real` and `access`. */
interface StatArgs { path: Path; follow?: boolean }
/** offset and limit are in bytes; limit is 10 MiB unless given, at most 64 MiB. */
interface ReadArgs { path: Path; encoding?: "utf8" | "utf-8" | "base64"; offset?: number; limit?: number }
/** path: where to start, default the working directory; limit: default 10000; gitignore: leave out what Git ignores. */
interface GlobArgs { pattern: string; path?: Path; limit?: number; gitignore?: boolean }
/** pattern: a plain text, with `regex` an RE2 expression; path: a directory or file, default the working directory; glob: which files, by name or, with a slash, by relative path; limit: default 1000. */
interface SearchArgs { pattern: string; path?: Path; glob?: string; regex?: boolean; limit?: number }

type Kind = "file" | "directory" | "symlink" | "fifo" | "socket" | "device";
interface Entry {
  name: string;
  /** Spelled like the path that was asked for: relative, unless that was absolute. So are all paths that list, stat, read, glob and search return. */
  path: Path;
  kind: Kind;
  size: number;
  /** Permission bits. */
  mode: number;
  /** ISO 8601. */
  mtime: string;
  /** The text of a symbolic link. */
  link?: string;
  /** The absolute path, without links. */
  real?: Path;
  /** What this process may do, of "rwx". */
  access?: string;
}
/** truncated: the limit cut it. unreadable: what could not be looked into. */
interface Listing { path: Path; entries: Entry[]; truncated: boolean; unreadable?: Path[] }
/** text if it is UTF-8 and base64 was not asked for, else bytes in base64. size: of the whole file. truncated: more follows. */
interface Content { path: Path; size: number; text?: string; bytes?: string; truncated?: boolean }
interface Globbed { matches: Path[]; truncated: boolean; unreadable?: Path[] }
interface SearchResult { matches: Found[]; truncated: boolean; unreadable?: Path[] }
/** line and column count from 1; text is the line, cut after 2000 bytes. */
interface Found { path: Path; line: number; column: number; text: string }

type Effect = "applied" | "not-applied" | "unknown";
type Operation = "delete" | "copy" | "move" | "write" | "edit" | "mkdir";

/** What one operation did. A promise resolves to it when ok. */
interface Receipt {
  kind: "file-operation";
  /** In call order, from 1. */
  seq: number;
  operation: Operation;
  ok: boolean;
  /** not-applied: nothing was changed. unknown: it had begun and failed, see evidence. */
  effect: Effect;
  /** Absolute, as asked for. */
  path: Path;
  target?: Path;
  /** Where parents were links. */
  resolvedPath?: Path;
  resolvedTarget?: Path;
  sourceKind?: Kind;
  /** places: where edits match or clash. */
  error?: { code: string; message: string; hook?: string; reason?: string; places?: LineColumn[] };
  /** What the host was asked, and its answer. A script cannot approve. */
  approvals?: { path: Path; reasons: string[]; decision: "approved" | "denied" | "unavailable" }[];
  replaced?: { kind: Kind; entries: number; bytes: number };
  /** Of the source, itself included. */
  entries: number;
  bytes: number;
  /** Of a write or edit: a unified diff, cut if long. */
  diff?: string;
  evidence?: { phase: string; entries: number; bytes: number; sourceExists: boolean; targetExists: boolean; leftover?: Path; leftovers?: Path[] };
  startedAt: string;
  durationMs: number;
}

/** What a tool's promise rejects with. Its message says what to do next. */
declare class OperationError extends Error {
  /** Such as ENOENT, TARGET_EXISTS, INVALID_FILE_TYPE, DELETE_PROTECTED_TARGET, DELETE_NOT_APPROVED, HOOK_DENIED, ABORTED. */
  code: string;
  effect: Effect;
  /** The tool's name. */
  operation: string;
  /** Absent when no path was given. */
  path?: Path;
  target?: Path;
  /** Of an operation. */
  receipt?: Receipt;
}

declare const ALL_TOOLS: readonly { readonly name: string; readonly description: string }[];
/** The script's arguments. */
declare const args: readonly string[];
/** Shows a string as it is, other data as JSON. */
declare function text(value: unknown): void;
/** Shows a PNG, JPEG, GIF or WebP: a data URL, base64, or an object. */
declare function image(data: string | { data: string; mimeType?: string }): void;
/** Keeps plain data for later scripts of this session. */
declare function store(key: string, value: unknown): void;
declare function load(key: string): any;
/** Ends the script successfully, at once; calls already made still run. */
declare function exit(): never;
/** Knows "fs", "fs/promises", "path", "util", "buffer", "url", "assert", "events", "timers/promises" and "os" (EOL, tmpdir), also with "node:" and by import. What fs changes are operations with receipts. */
declare function require(module: string): any;
declare const Buffer: any;
/** log, info, debug, warn, error, dir, table, group, count, time, assert, trace: as in Node. */
declare const console: Record<string, (...values: unknown[]) => void>;
/** A timer that is still pending when the body has ended is dropped: await what must happen. */
declare function setTimeout(callback: (...args: any[]) => void, ms?: number, ...args: unknown[]): number;
declare function setInterval(callback: (...args: any[]) => void, ms?: number, ...args: unknown[]): number;
declare function setImmediate(callback: (...args: any[]) => void, ...args: unknown[]): number;
declare function clearTimeout(id?: number): void;
declare function clearInterval(id?: number): void;
declare function clearImmediate(id?: number): void;
declare function queueMicrotask(callback: () => void): void;
