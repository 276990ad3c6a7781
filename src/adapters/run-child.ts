import { spawn } from 'node:child_process'
import { constants } from 'node:os'

const forwarded = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

/** The code of a shell for a child that a signal ended. */
const codeOfSignal = (signal: NodeJS.Signals | null): number =>
  128 + (signal === null ? 0 : constants.signals[signal])

/** The codes of a shell for a command that is not found, or that cannot be started. */
const codeOfStart = (error: Error): number => ('code' in error && error.code === 'ENOENT' ? 127 : 126)

/**
 * Runs a command without a shell, with the streams and the environment of this process, and forwards the
 * signals that end one. Resolves with its exit code: 127 when it is not found, 126 when it cannot be started,
 * 128 and the number of the signal that ended it. Never rejects.
 */
export const runChild = (command: string, args: ReadonlyArray<string>): Promise<number> =>
  new Promise(resolve => {
    const child = spawn(command, args, { stdio: 'inherit' })
    const forward = (signal: NodeJS.Signals): void => void child.kill(signal)
    for (const signal of forwarded) process.on(signal, forward)
    const end = (code: number): void => {
      for (const signal of forwarded) process.off(signal, forward)
      resolve(code)
    }
    child.once('error', error => end(codeOfStart(error)))
    child.once('exit', (code, signal) => end(code ?? codeOfSignal(signal)))
  })
