import { deepEqual, equal, ok } from 'node:assert/strict'
import { applyPatch, parsePatch } from 'diff'
import fc from 'fast-check'
import { isLeft } from 'fp-ts/lib/Either.js'
import { describe, it } from 'mocha'
import { attemptBatch } from '#actors/write-gate/land-batch.js'
import type { WriteOutcome } from '#actors/write-gate/messages.js'
import { withheldLinesOf } from '#src/domain/people/visible-document.js'
import { preview, publicDiff } from '#src/node/gate/preview.js'
import type { Snapshot } from '#src/snapshot/snapshot.js'
import type { Command } from '#src/writing/command.js'
import { branchOf, gateOver, refuseUse } from '#test/support/branch.js'
import { testCommand, writeOf } from '#test/support/commands.js'
import { runsOf } from '#test/support/runs.js'
import { worldOf } from '#test/support/world.js'

const first = {
  '.svc/format.json': '{"format": 2}\n',
  'kontrybutorzy.md': '## Gracz\n### Odo\n- @gameid: 100\n\n### Iga\n- @gameid: 200\n',
  'encje/indeks.md': ['Ala', 'Bór', 'Cis', 'Dąb']
    .map(name => `### ${name}\n- @typ: ${name === 'Ala' ? 'Postać' : 'Lokacja'}\n- @info: ${name}\n`)
    .join('\n'),
}

/** Names that commands mean blocks by, and names that they give: none takes another meaning in its batch. */
const names = fc.constantFrom('Ala', 'Bór', 'Cis', 'Dąb', 'Nikt')
const words = fc.constantFrom('Ewa', 'Iga', 'x', 'y')
const commands: fc.Arbitrary<Command> = fc.oneof(
  fc
    .record({
      name: names,
      tag: fc.constantFrom('info', 'lokacja', 'alias', 'status', 'nie_ma'),
      value: words,
    })
    .map(({ name, ...body }) => testCommand({ row: 'entities.update', path: { name }, body })),
  fc
    .record({ name: words, type: fc.constantFrom('NPC', 'Lokacja') })
    .map(body => testCommand({ row: 'entities.create', body })),
  names.map(name => testCommand({ row: 'entities.delete', path: { name } })),
  fc
    .record({ name: names, to: words })
    .map(({ name, to }) => testCommand({ row: 'entities.rename', path: { name }, body: { name: to } })),
  fc
    .record({ name: names, text: words })
    .map(({ name, text }) => testCommand({ row: 'characters.info.add', path: { name }, body: { text } })),
  fc
    .record({ gameId: fc.constantFrom('100', '200'), capability: fc.constantFrom('sync.run', 'pu.read') })
    .map(body => testCommand({ row: 'capabilities.grant', body })),
)

const never = new AbortController().signal

const findChangedFiles = (before: Snapshot, after: Snapshot): ReadonlyArray<string> =>
  [...new Set([...before.files.keys(), ...after.files.keys()])]
    .filter(path => before.files.get(path)?.text !== after.files.get(path)?.text)
    .sort()

/** A text as a diff may show it. */
const openText = (text: string): string => {
  const withheld = withheldLinesOf(text, false)
  return text
    .split('\n')
    .map((line, at) => (withheld.has(at + 1) ? '[withheld]' : line))
    .join('\n')
}

/** The files that a diff names, and each with the diff applied to what it was. */
const applyDiff = (before: Snapshot, diff: string): ReadonlyMap<string, string | false> =>
  new Map(
    (diff === '' ? [] : parsePatch(diff)).map(patch => {
      const path = (patch.newFileName === '/dev/null' ? patch.oldFileName : patch.newFileName) ?? ''
      const name = path.replace(/^[ab]\//u, '')
      return [name, applyPatch(openText(before.files.get(name)?.text ?? ''), patch)]
    }),
  )

/** The lines that a diff adds and takes away, by file. */
const listChangedLines = (diff: string): ReadonlyArray<string> =>
  (diff === '' ? [] : parsePatch(diff))
    .flatMap(({ oldFileName = '', newFileName = '', hunks }) =>
      hunks.flatMap(({ lines }) =>
        lines
          .filter(line => /^[+-]/u.test(line))
          .map(
            line => `${newFileName === '/dev/null' ? oldFileName.slice(2) : newFileName.slice(2)} ${line}`,
          ),
      ),
    )
    .sort()

const diffOf = (before: Snapshot, after: Snapshot): string =>
  publicDiff(
    findChangedFiles(before, after).map(path => ({
      path,
      before: before.files.get(path)?.text ?? null,
      after: after.files.get(path)?.text ?? null,
      splices: null,
    })),
  )

const diffIn = (dry: WriteOutcome): string => {
  if (isLeft(dry)) throw new Error(`${dry.left._tag} of a write that landed`)
  const diff: unknown = Reflect.get(Object(dry.right.body), 'diff')
  if (typeof diff !== 'string') throw new Error('a dry run has a diff')
  return diff
}

describe('dry runs of writes that share batches', () => {
  const seen = { written: 0, refused: 0, deferred: 0 }

  const takeBatch = async (asked: ReadonlyArray<Command>): Promise<void> => {
    const branch = branchOf(worldOf(first))
    const ports = gateOver(branch)
    const shown = (at: Snapshot, command: Command) =>
      preview({ ...ports, checked: null }, at, { ...command, dryRun: true })
    let waiting = asked
    while (waiting.length > 0) {
      const base = branch.head()
      const outcome = await attemptBatch(
        ports,
        waiting.map(command => writeOf(command)),
        never,
      )
      if (outcome._tag !== 'Settled') throw new Error(outcome._tag)
      for (const { at, commit, outcome: said } of outcome.settled) {
        const command = waiting[at] ?? refuseUse()
        const before = (commit === null ? null : branch.parents.get(commit)) ?? base
        const after = (commit === null ? null : branch.children.get(commit)) ?? base
        const planned = await shown(base, command)
        if (isLeft(said)) {
          deepEqual(planned, said)
          seen.refused += 1
          continue
        }
        deepEqual(listChangedLines(diffIn(planned)), listChangedLines(diffOf(before, after)))
        const applied = applyDiff(before, diffIn(await shown(before, command)))
        deepEqual([...applied.keys()].sort(), findChangedFiles(before, after))
        for (const [path, text] of applied) equal(text, openText(after.files.get(path)?.text ?? ''), path)
        if (commit !== null) seen.written += 1
      }
      const settled = new Set(outcome.settled.map(({ at }) => at))
      ok(settled.size > 0, 'each try settles a write')
      waiting = waiting.filter((_, at) => !settled.has(at))
      seen.deferred += waiting.length
    }
  }

  it('show what their commits change, and are refused as the writes are', async () => {
    await fc.assert(fc.asyncProperty(fc.array(commands, { minLength: 1, maxLength: 8 }), takeBatch), {
      numRuns: runsOf(150),
    })
    ok(
      Object.values(seen).every(count => count > runsOf(150) / 5),
      JSON.stringify(seen),
    )
  })
})
