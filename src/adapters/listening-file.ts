import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import * as t from 'io-ts'

const Listening = t.type({ url: t.string })

const pathIn = (state: string): string => join(state, 'listening.json')

/** Loopback alone: the machine token is sent to where the file points. */
const apiUrl = /^http:\/\/127\.0\.0\.1:\d{1,5}\/v1\/api$/

/** Says where the daemon that holds this state area listens, for commands beside it. */
export const tellListening = (state: string, url: string): void => {
  const draft = `${pathIn(state)}.new`
  writeFileSync(draft, `${JSON.stringify({ url })}\n`, { mode: 0o600 })
  renameSync(draft, pathIn(state))
}

/** Takes back what a daemon said that held the state area before, however it ended. */
export const forgetListening = (state: string): void => rmSync(pathIn(state), { force: true })

/** Where the daemon that holds the state area listens; null where it has not said so, or not as it would. */
export const listeningAt = (state: string): string | null => {
  try {
    const said: unknown = JSON.parse(readFileSync(pathIn(state), 'utf8'))
    return Listening.is(said) && apiUrl.test(said.url) ? said.url : null
  } catch {
    return null
  }
}
