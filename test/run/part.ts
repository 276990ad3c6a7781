import { mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import * as t from 'io-ts'

const strings = t.readonlyArray(t.string)

/** The result of one process of a test run, for the verdicts over the whole run. */
export const Part = t.strict(
  {
    /** Absolute paths of the test files that the process finished. */
    files: strings,
    /**
     * Tests that neither ran nor were pending: the run was narrowed by name, or a hook failed before them.
     */
    unrun: t.number,
    /** How many HTTP answers were checked. */
    answers: t.number,
    offences: strings,
    answered: strings,
    refused: strings,
    refusedBy: strings,
    secrets: t.strict({ secrets: t.number, outputs: t.number, chars: t.number }),
    leaks: strings,
  },
  'Part',
)
export type Part = t.TypeOf<typeof Part>

export const emptyPart: Part = {
  files: [],
  unrun: 0,
  answers: 0,
  offences: [],
  answered: [],
  refused: [],
  refusedBy: [],
  secrets: { secrets: 0, outputs: 0, chars: 0 },
  leaks: [],
}

const union = (one: ReadonlyArray<string>, other: ReadonlyArray<string>): ReadonlyArray<string> => [
  ...new Set([...one, ...other]),
]

/** Adds two parts: counts are summed, lists are united. */
export const addParts = (one: Part, other: Part): Part => ({
  files: union(one.files, other.files),
  unrun: one.unrun + other.unrun,
  answers: one.answers + other.answers,
  offences: union(one.offences, other.offences),
  answered: union(one.answered, other.answered),
  refused: union(one.refused, other.refused),
  refusedBy: union(one.refusedBy, other.refusedBy),
  secrets: {
    secrets: one.secrets.secrets + other.secrets.secrets,
    outputs: one.secrets.outputs + other.secrets.outputs,
    chars: one.secrets.chars + other.secrets.chars,
  },
  leaks: union(one.leaks, other.leaks),
})

/** Replaces the part of this process in the folder of the run. */
export const writePart = (folder: string, part: Part): void => {
  mkdirSync(folder, { recursive: true })
  // An id of a process can come again in a later run of the same folder.
  const path = join(folder, `${process.pid}-${Math.round(performance.timeOrigin)}.json`)
  writeFileSync(`${path}.new`, JSON.stringify(part))
  renameSync(`${path}.new`, path)
}

/** Reads and adds the parts of all processes of a run; throws where a file holds no part. */
export const readParts = (folder: string): Part =>
  readdirSync(folder)
    .filter(name => name.endsWith('.json'))
    .map(name => {
      const value: unknown = JSON.parse(readFileSync(join(folder, name), 'utf8'))
      if (!Part.is(value)) throw new Error(`${name} in ${folder} is not the part of a test run`)
      return value
    })
    .reduce(addParts, emptyPart)
