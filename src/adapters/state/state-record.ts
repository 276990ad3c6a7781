import { randomUUID } from 'node:crypto'
import { mkdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import * as t from 'io-ts'
import { gitDirectory, writeDurably } from './state-area.js'

const StateRecord = t.readonly(t.type({ path: t.string, id: t.string }))
/** The state area that a checkout was last served with, as stored in its git directory. */
export type StateRecord = t.TypeOf<typeof StateRecord>

/**
 * The state area compared with the recorded one: `Known` also where none was recorded; `Elsewhere`: another
 * one than before; `AreaLost` and `RuntimeLost`: what this host had stored is gone.
 */
export type StateStanding =
  | { readonly _tag: 'Known' }
  | { readonly _tag: 'Elsewhere'; readonly before: string }
  | { readonly _tag: 'AreaLost' }
  | { readonly _tag: 'RuntimeLost' }

/** Compares the record with what is found at `path`; pure. */
export const standingOf = (record: StateRecord | null, path: string, found: Found): StateStanding => {
  if (found.id !== null && !found.hasRuntime) return { _tag: 'RuntimeLost' }
  if (record === null || found.id === record.id) return { _tag: 'Known' }
  if (record.path !== path) return { _tag: 'Elsewhere', before: record.path }
  if (!found.hasRuntime) return { _tag: 'AreaLost' }
  return found.id === null ? { _tag: 'Known' } : { _tag: 'Elsewhere', before: record.path }
}

/** The state area that a checkout was last served with; the default where none is recorded. */
export const lastStateArea = (repo: string): string => {
  const git = gitDirectory(repo)
  return (git === null ? null : recordIn(git))?.path ?? join(repo, '.svc/state')
}

/** A state area before its files are opened, and how to record it once its losses have been reported. */
export interface StateMemory {
  readonly standing: StateStanding
  /**
   * Gives the area an id and writes its path and id into the git directory. Throws where the disk refuses.
   */
  readonly remember: () => void
}

/** Compares a state area with the record in the git directory of the checkout. Writes nothing. */
export const recallState = (repo: string, state: string): StateMemory => {
  const git = gitDirectory(repo)
  const record = git === null ? null : recordIn(git)
  const found = inspectStateArea(state)
  const standing = standingOf(record, state, found)
  return {
    standing,
    remember: () => {
      const id = found.id ?? randomUUID()
      if (found.id === null) writeDurably(join(state, 'id'), `${id}\n`)
      if (git === null || (record?.path === state && record.id === id)) return
      mkdirSync(join(git, 'kronika'), { recursive: true })
      writeDurably(join(git, 'kronika/state.json'), `${JSON.stringify({ path: state, id })}\n`)
    },
  }
}

/** What is at the path of the state area. */
interface Found {
  /** Null: there is no area, or one without an id from an earlier start. */
  readonly id: string | null
  /** Whether a non-empty `runtime.db` is there. */
  readonly hasRuntime: boolean
}

const textAt = (path: string): string | null => {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return null
  }
}

const recordIn = (git: string): StateRecord | null => {
  const text = textAt(join(git, 'kronika/state.json'))
  if (text === null) return null
  try {
    const said: unknown = JSON.parse(text)
    return StateRecord.is(said) ? said : null
  } catch {
    return null
  }
}

const inspectStateArea = (state: string): Found => ({
  id: /^[0-9a-f-]{36}$/.exec(textAt(join(state, 'id'))?.trim() ?? '')?.[0] ?? null,
  hasRuntime: (statSync(join(state, 'runtime.db'), { throwIfNoEntry: false })?.size ?? 0) > 0,
})
