/** How the process ends, and what it says of it (D2). */
export const exitCodes = {
  ok: 0,
  /** A bad flag, argument or environment variable. */
  usage: 64,
  /** `doctor` has findings. */
  findings: 65,
  /** The repository needs git and there is none on the path. */
  noGit: 69,
  /** The root supervisor gave up; the service manager starts the process again. */
  intensity: 70,
  /** A throw that nobody met, or an unhandled rejection. */
  uncaught: 71,
  /** The repository is held by another process. */
  held: 75,
  /** Whoever read the output closed it early, as `| head` does; the number that SIGPIPE gives a shell. */
  readerLeft: 141,
} as const

export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes]
