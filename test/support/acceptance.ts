import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Conditions, type Fields, isFields, mismatchesOf } from './matching.js'

const shared = join(import.meta.dirname, '..', '..', '..', 'shared')

/** A case from the predecessor's tests. */
export interface Case {
  readonly id: string
  readonly input: Fields
  readonly expected: unknown
}

/** A case whose expectation we do not adopt: the decision record that says why, and what holds instead. */
export interface Deviation {
  readonly adr: number
  readonly why: string
  /** What our answer must match; absent only where nothing can be run. */
  readonly instead?: unknown
}

export interface Registry {
  /**
   * Runs our code on an input: returns the value, or a promise of it, that is matched with `expected`. A
   * refusal is `{throws: text}`.
   */
  readonly run: (input: Fields, id: string) => unknown
  readonly deviations?: Readonly<Record<string, Deviation>>
  /** Cases that are not run yet, by id, with the reason. */
  readonly pending?: Readonly<Record<string, string>>
  readonly conditions?: (input: Fields) => Conditions
}

const note = (text: string): void => {
  process.stdout.write(`    ${text}\n`)
}

/** The text of a file beside the repository (`legacy/fixtures/…`), or null where this machine has none. */
export const readSharedText = (path: string): string | null => {
  const file = join(shared, path)
  return existsSync(file) ? readFileSync(file, 'utf8') : null
}

/** Text of a fixture that a case names. */
export const fixtureText = (name: string): string => {
  const text = readSharedText(`legacy/fixtures/${name}`)
  assert.ok(text !== null, `no fixture ${name}`)
  return text
}

/** A field of an input as text; null when it is absent or not a text. */
export const textAt = (input: Fields, field: string): string | null => {
  const value = input[field]
  return typeof value === 'string' ? value : null
}

/**
 * A field of an input as a list of texts: a single text becomes a list of one, an absent field an empty list.
 */
export const textsAt = (input: Fields, field: string): ReadonlyArray<string> => {
  const value: unknown = input[field]
  const all: ReadonlyArray<unknown> = Array.isArray(value) ? value : [value]
  return all.filter(one => typeof one === 'string')
}

/** A field of an input as an object; null when it is not one. */
export const fieldsAt = (input: Fields, field: string): Fields | null => {
  const value = input[field]
  return isFields(value) ? value : null
}

const casesOf = (text: string): ReadonlyArray<Case> => {
  const parsed: unknown = JSON.parse(text)
  assert.ok(Array.isArray(parsed))
  return parsed.map((one: unknown) => {
    assert.ok(isFields(one) && typeof one['id'] === 'string' && isFields(one['input']))
    return { id: one['id'], input: one['input'], expected: one['expected'] }
  })
}

const check = async (one: Case, registry: Registry): Promise<void> => {
  const deviation = registry.deviations?.[one.id]
  if (deviation !== undefined && deviation.instead === undefined) return
  const expected = deviation === undefined ? one.expected : deviation.instead
  const actual = await registry.run(one.input, one.id)
  assert.deepEqual(mismatchesOf(actual, expected, registry.conditions?.(one.input) ?? {}), [])
}

const tally = (cases: ReadonlyArray<Case>, registry: Registry): string => {
  const [deviations, pending] = [registry.deviations ?? {}, registry.pending ?? {}]
  const deviating = cases.filter(one => one.id in deviations)
  const waiting = cases.filter(one => one.id in pending)
  return `${cases.length} cases: ${cases.length - deviating.length - waiting.length} run, ${
    deviating.length
  } deviate, ${waiting.length} pending${waiting.map(one => `\n      ${one.id}: ${pending[one.id] ?? ''}`).join('')}`
}

/**
 * Registers one test per case of `eval/cases/<file>.json`: it passes, or deviates as a decision record says,
 * or is pending by id. Skips, with a message, where the case files are absent.
 */
export const acceptance = (file: string, registry: Registry): void => {
  describe(`acceptance ${file}`, () => {
    const text = readSharedText(`eval/cases/${file}.json`)
    if (text === null) {
      it('has no case files beside this repository', function () {
        note(`acceptance ${file}: no case files here, skipped`)
        this.skip()
      })
      return
    }
    const cases = casesOf(text)
    const ids = new Set(cases.map(one => one.id))
    for (const one of cases) {
      if (registry.pending !== undefined && one.id in registry.pending) continue
      it(`${one.id}${one.id in (registry.deviations ?? {}) ? ' (deviates)' : ''}`, () => check(one, registry))
    }
    it('lists only ids that exist, each once', () => {
      const [deviating, pending] = [
        Object.keys(registry.deviations ?? {}),
        Object.keys(registry.pending ?? {}),
      ]
      assert.deepEqual(
        [...deviating, ...pending].filter(id => !ids.has(id)),
        [],
      )
      assert.deepEqual(
        deviating.filter(id => pending.includes(id)),
        [],
      )
    })
    after(() => note(`acceptance ${file}: ${tally(cases, registry)}`))
  })
}
