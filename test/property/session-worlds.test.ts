import { equal, ok } from 'node:assert/strict'
import { isLeft } from 'fp-ts/lib/Either.js'
import { demoWorld } from '#src/demo/world.js'
import type { Session } from '#src/domain/sessions/session.js'
import type { Snapshot } from '#src/snapshot/snapshot.js'
import { createSession } from '#src/writing/sessions/create.js'
import { patchPlan } from '#src/writing/sessions/patch.js'
import { draftOf } from '#src/writing/sessions/report.js'
import { type Edited, exactLines, findEditedFiles } from '#test/support/edit-law.js'
import { adoptTexts } from '#test/support/legacy/adoption.js'
import { legacyWorld, type WorldTexts } from '#test/support/legacy/legacy-world.js'
import { sharedLegacy, textsIn } from '#test/support/texts-in.js'
import { worldOf } from '#test/support/world.js'

const store = '.svc/sessions/hashes.jsonl'
const acceptance = { by: 'Brzoza', nowMs: 0 }

/** Lines that one text has and the other does not, each as often as it has it more. */
const subtractList = (some: ReadonlyArray<string>, others: ReadonlyArray<string>): ReadonlyArray<string> => {
  const counts = new Map<string, number>()
  for (const line of others) counts.set(line, (counts.get(line) ?? 0) + 1)
  return some.filter(line => {
    const left = counts.get(line) ?? 0
    counts.set(line, left - 1)
    return left <= 0
  })
}

const isBlank = (line: string): boolean => line.trim() === ''

/** Whether a text is another with some lines put in at one place, byte for byte. */
const isInserted = ({ before, after }: Edited): boolean => {
  if (before === '') return true
  const whole = before.endsWith('\n') ? before : `${before}${/\r\n/u.test(before) ? '\r\n' : '\n'}`
  const [old, now] = [exactLines(whole), exactLines(after)]
  let at = 0
  while (at < old.length && old[at] === now[at]) at += 1
  const rest = old.length - at
  return rest === 0 || now.slice(-rest).join('\n') === old.slice(at).join('\n')
}

const filesOf = (snapshot: Snapshot, plan: ReturnType<typeof patchPlan>): ReadonlyArray<Edited> => {
  const made = plan(snapshot, 0)
  if (isLeft(made)) throw new Error(made.left.detail)
  return findEditedFiles(snapshot, made.right.edits).filter(({ path }) => path !== store)
}

const view = { mayReadRestricted: true, sessions: true, logs: true, external: true }

/** A log more, and then what it was: every other line stands, and the bytes come back. */
const keepsLines = (snapshot: Snapshot, { header, logs }: Session): void => {
  const more = [...logs, 'https://logi.example/nowy']
  for (const { path, before, after } of filesOf(
    snapshot,
    patchPlan(header, { metadata: { logs: more } }, { by: 'x', view }),
  )) {
    const taken = subtractList(exactLines(before), exactLines(after)).filter(line => !isBlank(line))
    ok(
      taken.every(line => /^\s*- @?Logi|^\s*- .*https?:|^Logi:/iu.test(line)),
      `${path}: ${taken.join('\n')}`,
    )
    const put = subtractList(exactLines(after), exactLines(before)).filter(line => !isBlank(line))
    ok(
      put.every(line => /^- @Logi:\r?$|^ {4}- https?:/u.test(line)),
      `${path}: ${put.join('\n')}`,
    )
    equal(after.replaceAll('\r\n', '').includes('\n'), before.includes('\r\n') ? false : after.includes('\n'))
  }
}

/** An upgrade changes no word and no meaning of any session. */
const keepsWords = (snapshot: Snapshot, { header }: Session): number => {
  const files = filesOf(snapshot, patchPlan(header, { upgrade: true }, { by: 'x', view }))
  const words = (text: string): string =>
    text
      .split(/[\s,*]+/u)
      .filter(word => !/^(?:|-|@?\p{L}+:)$/u.test(word))
      .sort()
      .join(' ')
  for (const { before, after } of files) equal(words(after), words(before))
  return files.length
}

const draft = (date: string) => {
  const made = draftOf({ date, title: 'Zupełnie nowa', narrators: ['Brzoza'], content: 'Opis.\n\n- lista' })
  if (isLeft(made)) throw new Error(made.left.detail)
  return made.right
}

const inserts = (snapshot: Snapshot, path: string, date: string): void => {
  const made = createSession(snapshot, draft(date), path, acceptance)
  if (isLeft(made)) throw new Error(`${path}: ${made.left.detail}`)
  for (const edited of findEditedFiles(snapshot, made.right.edits)) ok(isInserted(edited), edited.path)
}

const crlf = (texts: WorldTexts): WorldTexts =>
  Object.fromEntries(Object.entries(texts).map(([path, text]) => [path, text.replaceAll('\n', '\r\n')]))

/** At most so many of each world, spread over it. */
const pickSpread = <A>(all: ReadonlyArray<A>, most: number): ReadonlyArray<A> =>
  all.filter((_, at) => at % Math.max(1, Math.ceil(all.length / most)) === 0)

describe('writes of the sessions of whole worlds', () => {
  const demo = (): WorldTexts =>
    Object.fromEntries(
      demoWorld({ seed: 'zapisy' }).commits.flatMap(({ changes }) =>
        changes.map(({ path, text }) => [path, text] as const),
      ),
    )
  const shared = (): WorldTexts | null => {
    const world = textsIn(`${sharedLegacy}/world`)
    return world === null ? null : adoptTexts(world)
  }
  const worlds: ReadonlyArray<readonly [string, () => WorldTexts | null, number]> = [
    ['the demo world', demo, 12],
    ['a small legacy world, adopted', () => adoptTexts(legacyWorld), 40],
    ['the legacy world beside the project, adopted', shared, 40],
  ]
  for (const [what, textsOfWorld, most] of worlds)
    it(`touch no line that they need not in ${what}, LF and CRLF`, function () {
      const texts = textsOfWorld()
      if (texts === null) return this.skip()
      for (const variant of [texts, crlf(texts)]) {
        const snapshot = worldOf(variant)
        const sessions = pickSpread(snapshot.sessions.all, most)
        ok(sessions.length > 0)
        for (const session of sessions) {
          keepsLines(snapshot, session)
          keepsWords(snapshot, session)
        }
        for (const path of pickSpread([...new Set(snapshot.sessions.all.map(one => one.path))], 8))
          for (const date of ['2001-01-01', '2024-06-15', '2031-01-01']) inserts(snapshot, path, date)
      }
    })

  it('upgrade what is of an older form', () => {
    const snapshot = worldOf(adoptTexts(legacyWorld))
    const older = snapshot.sessions.all.filter(session => session.generation !== 'Gen4')
    equal(older.length, 2)
    for (const session of older) equal(keepsWords(snapshot, session), session.copies.length)
  })
})
