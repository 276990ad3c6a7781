import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import * as t from 'io-ts'

const Listening = t.readonly(t.type({ url: t.string, town: t.string }))
/** The URL of the daemon that uses a state area, and its town; the town is empty outside a fleet. */
export type Listening = t.TypeOf<typeof Listening>

const pathIn = (state: string): string => join(state, 'listening.json')

/** Only loopback: the machine token is sent to this URL. */
const apiUrl = /^http:\/\/127\.0\.0\.1:\d{1,5}\/v1\/api$/

/** Records the daemon's URL and town, for commands that run beside it. */
export const tellListening = (state: string, { url, town }: Listening): void => {
  const draft = `${pathIn(state)}.new`
  writeFileSync(draft, `${JSON.stringify({ url, town })}\n`, { mode: 0o600 })
  renameSync(draft, pathIn(state))
}

/** Deletes the record of an earlier daemon of this state area, however that ended. */
export const forgetListening = (state: string): void => rmSync(pathIn(state), { force: true })

/** The record of the daemon that holds the state area; null where there is none, or it is invalid. */
export const readListening = (state: string): Listening | null => {
  try {
    const said: unknown = JSON.parse(readFileSync(pathIn(state), 'utf8'))
    return Listening.is(said) && apiUrl.test(said.url) ? said : null
  } catch {
    return null
  }
}
