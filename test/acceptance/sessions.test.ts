import { nameKey } from '#protocol/atoms.js'
import { readHeader } from '#src/domain/lore/session-header.js'
import { judgeSession } from '#src/domain/sessions/effects/judgement.js'
import { intelTargetOf } from '#src/domain/sessions/intel-recipients.js'
import { findMentioned, placesNamed, placesOf } from '#src/domain/sessions/reading/mentions.js'
import { parseSessionFile } from '#src/domain/sessions/reading/session-file.js'
import type { Session } from '#src/domain/sessions/session.js'
import { filterSessionsInSlices } from '#src/domain/sessions/session-answers.js'
import { atOnce } from '#src/domain/slicing/sliced.js'
import type { Snapshot } from '#src/snapshot/snapshot.js'
import { acceptance, fieldsAt, fixtureText, textAt, textsAt } from '#test/support/acceptance.js'
import { fixtureIndex } from '#test/support/fixture-index.js'
import { type Fields, isFields } from '#test/support/matching.js'
import { sessionFields, sessionsOfFixtures, sessionsOfTexts } from '#test/support/session-cases.js'
import { day, sourceFile, worldOf } from '#test/support/world.js'

const lists = (value: unknown, indent: number): string =>
  (Array.isArray(value) ? value : [])
    .map((item: unknown): string => {
      const pad = ' '.repeat(indent)
      if (typeof item === 'string') return `${pad}- ${item}\n`
      return isFields(item)
        ? `${pad}- ${textAt(item, 'text') ?? ''}\n${lists(item['children'], indent + 4)}`
        : ''
    })
    .join('')

/** A world with one session that holds the list items of a unit input, and entities of its small index. */
const unitWorld = (input: Fields, prose: string): { readonly world: Snapshot; readonly session: Session } => {
  const index = fieldsAt(input, 'index') ?? {}
  const entities = Object.entries(index)
    .filter(([, owner]) => isFields(owner))
    .map(
      ([name, owner]) =>
        `### ${name}\n- @typ: ${isFields(owner) ? (textAt(owner, 'ownerType') ?? '') : ''}\n`,
    )
  // The case names the format; a list that no block name marks needs one to be of that format.
  const marker = textAt(input, 'format') === 'Gen3' ? '- PU:\n    - Nikt: 0.1\n' : ''
  const text = `### 2024-06-15, Sesja, Solmyr\n\n${textAt(input, 'firstNonEmptyLine') ?? ''}\n\n${lists(input['listItems'], 0)}${marker}\n${prose}\n`
  const world = worldOf({ 'encje/indeks.md': entities.join('\n'), 'Sesje.md': text })
  const [session] = world.sessions.all
  if (session === undefined) throw new Error('no session is read')
  return { world, session }
}

const unit = (input: Fields): unknown => {
  const { world, session } = unitWorld(input, '')
  return { format: session.generation, locations: placesOf(session, world.names) }
}

const mentions = (input: Fields): unknown => {
  const { world, session } = unitWorld(input, textAt(input, 'content') ?? '')
  return { mentions: findMentioned(session, world.names).map(entity => entity.name) }
}

const fixture = (input: Fields, name: string): unknown => {
  const options = fieldsAt(input, 'options') ?? {}
  const world = { ...fixtureIndex(), sessions: sessionsOfFixtures([name]) }
  const [from, to] = [textAt(options, 'minDate'), textAt(options, 'maxDate')]
  const all = atOnce(
    filterSessionsInSlices(world, {
      ...(from === null ? {} : { from: day(from) }),
      ...(to === null ? {} : { to: day(to) }),
    }),
  ).toSorted((left, right) => (left.copies[0]?.line ?? 0) - (right.copies[0]?.line ?? 0))
  const fields = all.map(session => sessionFields(session, world.names))
  const byContent = all.findIndex(session => session.body.includes('Dracon podróżował'))
  return {
    sessions: fields,
    failed: parseSessionFile(sourceFile(name, fixtureText(name))).findings.filter(
      finding => finding.kind === 'BadHeader',
    ),
    'session(content like "*Dracon podróżował*")': fields[byContent],
  }
}

/** The Intel of a session in a world of the entities that the case names, closed as `close-session` would. */
const intel = (given: Fields): unknown => {
  const on = textAt(given, 'sessionDate') ?? ''
  const listed = given['entities']
  const blocks = (Array.isArray(listed) ? listed : []).filter(isFields).map(one => {
    const rowsOf = (list: string, tag: string, field: string): ReadonlyArray<string> => {
      const history = one[list]
      return (Array.isArray(history) ? history : [])
        .filter(isFields)
        .map(row => `- @${tag}: ${textAt(row, field) ?? ''} (${textAt(row, 'startDate') ?? ''}:)\n`)
    }
    return [
      `### ${textAt(one, 'name') ?? ''}\n- @typ: ${textAt(one, 'type') ?? ''}\n`,
      ...rowsOf('groupHistory', 'grupa', 'group'),
      ...rowsOf('locationHistory', 'lokacja', 'location'),
    ].join('')
  })
  const target = textAt(given, 'rawTarget') ?? ''
  const world = worldOf({
    'encje/indeks.md': blocks.join('\n'),
    'Sesje.md': `### ${on}, Sesja, Solmyr\n\n- @Intel:\n    - ${target}: ${textAt(given, 'message') ?? ''}\n`,
  })
  const [session] = world.sessions.all
  if (session === undefined) throw new Error('no session is read')
  const { recipients } = judgeSession(world, session).meaning
  return {
    intel: recipients.map(({ target: written, blocks: found }) => {
      const { directive, text } = intelTargetOf(written)
      return { directive, targetName: text, recipients: found.map(({ heading }) => heading) }
    }),
  }
}

const parseCase = (input: Fields): unknown => {
  const sent = fieldsAt(input, 'intel')
  if (sent !== null) return intel(sent)
  const [header, name] = [textAt(input, 'header'), textAt(input, 'fixture')]
  if (header !== null) {
    const read = readHeader(header)
    return read._tag === 'Session' ? read.header : null
  }
  if (name !== null) return fixture(input, name)
  const [match, prose] = [fieldsAt(input, 'locationMatch'), fieldsAt(input, 'mentions')]
  if (match !== null) {
    const set = new Set(textsAt(match, 'set').map(nameKey))
    return { match: placesNamed(textAt(match, 'value') ?? '').some(place => set.has(nameKey(place))) }
  }
  return prose === null ? unit(input) : mentions(prose)
}

const ids = (file: string, numbers: ReadonlyArray<string>): ReadonlyArray<string> =>
  numbers.map(number => `${file}-${number}`)

acceptance('sessions-parse', {
  run: parseCase,
  deviations: Object.fromEntries(
    ids('sessions-parse', ['105', '106', '108', '109', '110', '111']).map(id => [
      id,
      { adr: 1032, why: 'Webhook addresses are credentials that adoption never copies (FORMATS 9, D36).' },
    ]),
  ),
})

const fixtureNames = [
  'changes',
  'co-narrator',
  'code-fence',
  'date-range',
  'deep-zmiany',
  'duplicate',
  'empty-body',
  'failed',
  'gen1',
  'gen2-multi-loc',
  'gen2',
  'gen3',
  'gen4-full',
  'gen4',
  'many',
  'multi-transfer',
  'no-metadata',
  'unicode',
  'unresolved',
  'zmiany',
].map(name => `sessions-${name}.md`)

const fieldsOfMerged = (session: Session): Fields => ({
  ...sessionFields(session, null),
  isMerged: session.copies.length > 1,
  duplicateCount: session.copies.length,
  filePaths: session.copies.map(copy => copy.path),
})

const copied = `### 2024-01-01, A, N

- @Zmiany:
    - Sakwa
        - @ilość: +5
- @Transfer: 5 koron, A -> B
`

const primary = (): Fields => {
  const [session] = sessionsOfTexts({
    'A.md': '### 2024-01-01, A, N\n\n- @Lokacje:\n    - X\n- @PU:\n    - Y: 0.3\n',
    'B.md': `${copied}- @Intel:\n    - X: wieść\n`,
  }).all
  return { primary: session?.path.slice(0, 1) }
}

const mergeCase = (input: Fields, id: string): unknown => {
  if (id === 'sessions-merge-007') {
    const [session] = sessionsOfTexts({ 'a.md': copied, 'b.md': copied }).all
    return session
  }
  if (id === 'sessions-merge-008') return primary()
  if (id === 'sessions-merge-004') {
    const [session] = sessionsOfTexts({ 'a.md': '### 2024-01-01, A, N\n' }).all
    return session === undefined ? null : fieldsOfMerged(session)
  }
  const names = textsAt(input, 'fixture')
  const sessions = sessionsOfFixtures(names.length > 0 ? names : fixtureNames)
  const title = textAt(fieldsAt(input, 'session') ?? {}, 'title')
  const titled = sessions.all.filter(session => session.title === title).map(fieldsOfMerged)
  const dated = sessions.all.find(session => session.date === '2024-08-20')
  return {
    sessionsWithTitle: titled,
    session: titled[0],
    'session(2024-08-20)': dated === undefined ? null : fieldsOfMerged(dated),
  }
}

acceptance('sessions-merge', {
  run: mergeCase,
  deviations: {
    'sessions-merge-007': {
      adr: 1032,
      why: 'A copy is not a second act: effects of copies count once (FORMATS 4.4).',
      instead: { changes: { $count: 1 }, transfers: { $count: 1 } },
    },
  },
})
