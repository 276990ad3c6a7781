import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import * as t from 'io-ts'

const Listening = t.readonly(t.type({ url: t.string, town: t.string }))
/** Where the daemon of a state area listens, and its town; empty off the fleet. */
export type Listening = t.TypeOf<typeof Listening>

const pathIn = (state: string): string => join(state, 'listening.json')

/** Loopback alone: the machine token is sent to where the file points. */
const apiUrl = /^http:\/\/127\.0\.0\.1:\d{1,5}\/v1\/api$/

/** Says for commands beside the daemon what they ask of the one that holds this state area. */
export const tellListening = (state: string, { url, town }: Listening): void => {
  const draft = `${pathIn(state)}.new`
  writeFileSync(draft, `${JSON.stringify({ url, town })}\n`, { mode: 0o600 })
  renameSync(draft, pathIn(state))
}

/** Takes back what a daemon said that held the state area before, however it ended. */
export const forgetListening = (state: string): void => rmSync(pathIn(state), { force: true })

/** What the daemon that holds the state area said last; null where it has said nothing, or not as it would. */
export const listeningAt = (state: string): Listening | null => {
  try {
    const said: unknown = JSON.parse(readFileSync(pathIn(state), 'utf8'))
    return Listening.is(said) && apiUrl.test(said.url) ? said : null
  } catch {
    return null
  }
}
