/** The exit codes of the process (D2). */
export const exitCodes = {
  ok: 0,
  usage: 64,
  findings: 65,
  noGit: 69,
  intensity: 70,
  uncaught: 71,
  stateUnusable: 74,
  held: 75,
  /** The code of a shell after SIGPIPE. */
  readerLeft: 141,
} as const

export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes]

const meanings: Readonly<Record<ExitCode, string>> = {
  0: 'done',
  64: 'usage: a bad flag, argument, folder or environment variable',
  65: 'findings of doctor, or a refusal told to adopt, token or keys',
  69: 'the repository needs git and there is none on the path',
  70: 'restarts exceeded, or a port that is taken: a service manager starts it again',
  71: 'an uncaught error: a service manager starts it again, five times in five minutes at most',
  74: 'the state area cannot be used: its disk is full, a file is damaged, or it cannot be written',
  75: 'the repository is held by another process',
  141: 'the reader of the output left, as head does behind a pipe',
}

/** Each code with its meaning, for the help and the reference. */
export const exitRows = Object.entries(exitCodes).map(([name, code]) => ({
  name,
  code,
  meaning: meanings[code],
}))
