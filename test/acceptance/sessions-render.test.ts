import { isLeft } from 'fp-ts/lib/Either.js'
import { SessionMetadata } from '#protocol/lore/session-writes.js'
import { linesOf } from '#src/domain/lore/lines.js'
import type { BlockKind } from '#src/domain/lore/session-header.js'
import { readSection } from '#src/domain/sessions/reading/section.js'
import { readMetadataBlocks } from '#src/writing/sessions/blocks.js'
import { noBlocks, renderMetadata } from '#src/writing/sessions/render.js'
import { acceptance, fieldsAt, fixtureText, textAt, textsAt } from '#test/support/acceptance.js'
import { fixtureIndexTexts } from '#test/support/fixture-index.js'
import { type Fields, isFields } from '#test/support/matching.js'
import { type AskedRequest, runRequests } from '#test/support/run-requests.js'
import { sessionsOfFixtures, sessionsOfTexts } from '#test/support/session-cases.js'

const blockWords: Readonly<Record<BlockKind, string>> = {
  Locations: 'locations',
  Logs: 'logs',
  Points: 'pu',
  Participants: 'participants',
  Changes: 'changes',
  Transfer: 'transfer',
  Intel: 'intel',
  Preserved: 'preserved',
}

const splitSection = (lines: ReadonlyArray<string>): Fields => {
  const section = readSection(linesOf(lines.join('\n')).lines)
  const [session] = sessionsOfTexts({ 'a.md': `### 2024-06-15, Sesja, Solmyr\n${lines.join('\n')}\n` }).all
  return {
    metaBlocks: [
      ...section.blocks.map(block => blockWords[block.head.kind]),
      ...(section.italic === null ? [] : ['locations-italic']),
    ],
    'metaBlocks.logs-plain': section.plainLogs,
    preservedBlocks: session?.preserved.map(block => ({ tag: block.name.toLowerCase() })),
    body: session?.body,
  }
}

const findSession = (name: string, find: Fields): Fields => {
  const { all } = sessionsOfFixtures([name])
  const [header, date] = [textAt(find, 'header'), textAt(find, 'date')]
  const matches = all.filter(session => session.key === header || session.date === date)
  return { matches: matches.map(session => ({ headerText: session.header })) }
}

const itemsOf = (value: unknown): ReadonlyArray<Fields> =>
  (Array.isArray(value) ? value : []).filter(isFields)

/** The blocks of a case in the words of a request. */
const metadataOf = ({ locations, logs, pu, changes, transfers, intel }: Fields): SessionMetadata => {
  const decoded = SessionMetadata.decode({
    locations,
    logs,
    pu,
    transfers,
    ...(Array.isArray(changes)
      ? { changes: itemsOf(changes).map(({ entityName, tags }) => ({ entity: entityName, tags })) }
      : {}),
    ...(Array.isArray(intel)
      ? { intel: itemsOf(intel).map(({ rawTarget, message }) => ({ target: rawTarget, message })) }
      : {}),
  })
  if (isLeft(decoded)) throw new Error('the blocks of the case are none')
  return decoded.right
}

const renderBlocks = (blocks: Fields): unknown => {
  const read = readMetadataBlocks(metadataOf(blocks))
  if (isLeft(read)) return { throws: read.left.detail }
  const lines = renderMetadata({ ...noBlocks, ...read.right })
  return {
    lines: lines.length === 0 ? null : lines,
    text: lines.join('\n'),
    blockOrder: lines.filter(line => line.startsWith('- ')),
    names: lines.flatMap(line => /^- (@\p{L}+)/u.exec(line)?.[1] ?? []),
    'lines(matching ^\\s{4}-\\s\\S)': lines.filter(line => /^ {4}- \S/.test(line)),
  }
}

const fieldOfTag: Readonly<Record<string, string>> = {
  Lokacje: 'locations',
  Logi: 'logs',
  PU: 'pu',
  Zmiany: 'changes',
  Intel: 'intel',
}

const block = (one: Fields): unknown => {
  const field = fieldOfTag[textAt(one, 'tag') ?? '']
  if (field === undefined) throw new Error('the case names a block that is none')
  const answer = renderBlocks({ [field]: one['items'] })
  return one['items'] === null && isFields(answer) ? answer['lines'] : answer
}

const transfer = { amount: 5, denomination: 'koron', source: 'A', destination: 'B' }

/** Every kind of block: the case gives none itself. */
const allBlocks: Fields = {
  locations: ['Erathia'],
  logs: ['https://example.com/log1'],
  pu: [{ character: 'Solmyr', value: 0.5 }],
  changes: [{ entityName: 'Xeron', tags: [{ tag: '@lokacja', value: 'Steadwick' }] }],
  transfers: [transfer],
  intel: [{ rawTarget: 'Rion', message: 'Test' }],
}

/** The text of a file after requests to the full index and what else there is. */
const fileAfter = async (path: string, others: Readonly<Record<string, string>>, asked: AskedRequest) => {
  const after = await runRequests({ ...fixtureIndexTexts(), ...others }, [asked])
  return 'throws' in after ? after : { file: after.texts[path], text: after.texts[path] }
}

const newSession = (fields: Fields): unknown => {
  const { date, dateEnd, title, narrator, content } = fields
  const metadata = metadataOf(fields)
  const body = { file: 'sesje/nowe.md', date, dateEnd, title, narrators: [narrator], content, metadata }
  return fileAfter(body.file, {}, { method: 'POST', path: '/sessions', body })
}

const setSession = (name: string, fields: Fields): unknown => {
  const date = textAt(fields, 'date') ?? ''
  const header = sessionsOfFixtures([name]).all.find(session => session.date === date)?.header ?? date
  const properties = { ...fields, ...fieldsAt(fields, 'properties') }
  const content = textAt(properties, 'content')
  const body =
    fields['upgradeFormat'] === true ? { upgrade: true } : { content, metadata: metadataOf(properties) }
  const path = `/sessions/${header.replaceAll('/', '%2F')}`
  return fileAfter('sesje/stare.md', { 'sesje/stare.md': fixtureText(name) }, { method: 'PATCH', path, body })
}

const convertLines = async (input: Fields): Promise<unknown> => {
  const lines = [...textsAt(input, 'italic'), ...textsAt(input, 'plainLog'), ...textsAt(input, 'lines')]
  const text = ['### 2024-06-15, Sesja, Solmyr', '', ...lines, ''].join('\n')
  const path = '/sessions/2024-06-15, Sesja, Solmyr'
  const after = await runRequests({ 'sesje/stare.md': text }, [
    { method: 'PATCH', path, body: { upgrade: true } },
  ])
  if ('throws' in after) return after
  const file = after.texts['sesje/stare.md']
  return file === text ? null : { text: file }
}

const run = (input: Fields): unknown => {
  const convert = fieldsAt(input, 'convert')
  if (convert !== null) return convertLines(convert)
  const [split_, find, one] = [input['split'], fieldsAt(input, 'find'), fieldsAt(input, 'block')]
  const [created, set] = [fieldsAt(input, 'newSession'), fieldsAt(input, 'setSession')]
  const fixture = textAt(input, 'fixture') ?? ''
  if (split_ !== undefined) return splitSection(textsAt(input, 'split'))
  if (find !== null) return findSession(fixture, find)
  if (one !== null) return block(one)
  if (created !== null) return newSession(created)
  if (set !== null) return setSession(fixture, set)
  return renderBlocks(fieldsAt(input, 'metadata') ?? allBlocks)
}

acceptance('sessions-render', {
  run,
  deviations: {
    'sessions-render-015': {
      adr: 1032,
      why: 'An entity without tags is not read, so it is refused instead of written.',
      instead: { $throws: '*at least one tag*' },
    },
    'sessions-render-025': {
      adr: 1032,
      why: 'Transfers are written, as the documents of the predecessor have it (FORMATS 4.9).',
      instead: { names: ['@Lokacje', '@Logi', '@PU', '@Zmiany', '@Transfer', '@Intel'] },
    },
    'sessions-render-049': {
      adr: 1032,
      why: 'The refusal has its own name and words.',
      instead: { $throws: 'SessionNotFound: *' },
    },
  },
})
