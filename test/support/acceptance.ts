import assert from 'node:assert/strict'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Conditions, type Fields, isFields, mismatchesOf } from './matching.js'

const shared = join(import.meta.dirname, '..', '..', '..', 'shared')

/** A case from the predecessor's tests. */
export interface Case {
  readonly id: string
  readonly input: Fields
  readonly expected: unknown
}

/** A case whose expectation we do not adopt: the decision record that lists it, why, and what holds instead. */
export interface Deviation {
  readonly adr: keyof typeof decisions
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

const tally = (cases: ReadonlyArray<Case>, { deviations = {} }: Registry): string => {
  const deviating = cases.filter(one => one.id in deviations).length
  return `${cases.length} cases: ${cases.length - deviating} run, ${deviating} deviate`
}

/** The decision records with tables of cases that deviate. */
const decisions = {
  1032: '1032-prefer-the-format-to-the-predecessors-tests.md',
  1056: '1056-replay-moves-of-money-and-keep-what-became-of-each-transfer.md',
}

const docs = join(import.meta.dirname, '..', '..', 'docs/decisions')

/** The ids in the first column of the table of a decision: `area-001`, `-003`, `-005` to `-007`. */
const decidedIn = (adr: keyof typeof decisions): ReadonlySet<string> => {
  const found = new Set<string>()
  for (const [, cell = ''] of readFileSync(join(docs, decisions[adr]), 'utf8').matchAll(
    /^\| (`[^|]*`) \|/gmu,
  )) {
    let [area, last] = ['', 0]
    for (const [, range, own = '', digits] of cell.matchAll(/(to )?`([a-z-]*)-(\d{3})`/gu)) {
      const number = Number(digits)
      area = own === '' ? area : own
      for (let at = range === undefined ? number : last + 1; at <= number; at += 1)
        found.add(`${area}-${String(at).padStart(3, '0')}`)
      last = number
    }
  }
  return found
}

/**
 * Registers one test per case of `eval/cases/<file>.json`: it passes, or deviates as a decision record says. Skips,
 * with a message, where the case files are absent.
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
    const { deviations = {} } = registry
    const cases = casesOf(text)
    const ids = new Set(cases.map(one => one.id))
    for (const one of cases)
      it(`${one.id}${one.id in deviations ? ' (deviates)' : ''}`, () => check(one, registry))
    it('deviates only in cases that exist and that a decision record lists', () => {
      const wrong = Object.entries(deviations).filter(
        ([id, { adr }]) => !ids.has(id) || !decidedIn(adr).has(id),
      )
      assert.deepEqual(
        wrong.map(([id]) => id),
        [],
      )
    })
    after(() => note(`acceptance ${file}: ${tally(cases, registry)}`))
  })
}

/** The names of the case files beside the repository; null where this machine has none. */
export const caseFiles = (): ReadonlyArray<string> | null => {
  const folder = join(shared, 'eval/cases')
  if (!existsSync(folder)) return null
  return readdirSync(folder).flatMap(name => (name.endsWith('.json') ? [name.slice(0, -5)] : []))
}
