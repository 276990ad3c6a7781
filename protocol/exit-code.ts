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
  unpublished: 76,
  /** The code of a shell after SIGPIPE. */
  readerLeft: 141,
} as const

export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes]

const meanings: Readonly<Record<ExitCode, string>> = {
  0: 'done',
  64: 'usage: a bad flag, argument, folder or environment variable; the message says which',
  65:
    'doctor has an error or a warning about the host or the lore, or adopt, enact, token, keys, fleet or ' +
    'accept-rewrite was refused, or a takeover that --wait follows failed',
  69: 'git is not on the PATH, and the repository needs it',
  70: 'a port is taken, or a part of the host failed too often; a service manager starts the host again',
  71: 'an unexpected error; a service manager starts the host again, at most five times in five minutes',
  74: 'the state area cannot be used: its disk is full, a file is damaged, or it cannot be written',
  75: 'another process holds the repository',
  76: 'enact wrote nothing: the remote was not reached, or other hosts were faster each time; run it again',
  141: 'the program that reads the output closed it, as head does behind a pipe',
}

/** Each code with its meaning, for the help and the reference. */
export const exitRows = Object.entries(exitCodes).map(([name, code]) => ({
  name,
  code,
  meaning: meanings[code],
}))
