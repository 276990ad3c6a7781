import { execFileSync } from 'node:child_process'

const answerBytesMax = 1024 * 1024 * 1024

/** Runs git as `gitIn` does, for answers and inputs of any length. Nothing is trimmed. */
export const gitAtLength = (cwd: string, args: ReadonlyArray<string>, input?: string | Buffer): string =>
  execFileSync('git', ['-c', 'user.name=Test', '-c', 'user.email=test@example.org', ...args], {
    cwd,
    encoding: 'utf8',
    maxBuffer: answerBytesMax,
    stdio: ['pipe', 'pipe', 'pipe'],
    ...(input === undefined ? {} : { input }),
  })
