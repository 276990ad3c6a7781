import { statSync } from 'node:fs'
import { mkdtemp } from 'node:fs/promises'
import { join } from 'node:path'
import { BlobId } from '#protocol/atoms.js'
import { lineQueries, spokenLines } from '#src/adapters/transcripts/line-queries.js'
import {
  draftTranscriptFile,
  type LogToIndex,
  openTranscriptFile,
  type TranscriptFile,
} from '#src/adapters/transcripts/transcript-file.js'
import { chanceOf } from '#src/demo/chance.js'
import { demoWorld } from '#src/demo/world.js'
import { noLemmas, termsOf } from '#src/domain/search/texts/documents.js'
import { atOnce } from '#src/domain/slicing/sliced.js'
import { collectMentions } from '#src/domain/transcripts/mention-index.js'
import { parseTranscript } from '#src/domain/transcripts/parse.js'
import {
  anyLine,
  type LineFilter,
  type QueryWords,
  spokenChannel,
} from '#src/domain/transcripts/questions.js'
import { type Figure, figureAtMost, figureWithoutBar, median } from './figure.js'
import { percentile } from './percentile.js'
import { drawQueries, linesOfProse, rankWords } from './search-texts.js'

/** The archive that the bars are about. */
const archive = { logs: 2_000, linesInLog: 300, speakers: 400, speakersInLog: 8, places: 120 }
const queriesAsked = 400
const questionsAsked = 200
const pageLines = 100
const applied = 20

/** Transcripts whose lines are clauses of the prose of the demo. */
const textsOf = (): ReadonlyArray<string> => {
  const { commits } = demoWorld({ seed: 'pomiar', scale: 20 })
  const prose = new Map(
    commits.flatMap(({ changes }) =>
      changes.flatMap(({ path, text }) => (path.startsWith('Wątki/') ? [[path, text] as const] : [])),
    ),
  )
  const chance = chanceOf('zapisy')
  const clauses = linesOfProse(prose.values())
  const texts: Array<string> = []
  for (let log = 0; log < archive.logs; log += 1) {
    const lines: Array<string> = []
    const speakers = Array.from({ length: archive.speakersInLog }, () => chance.whole(1, archive.speakers))
    for (let at = 0; at < archive.linesInLog; at += 1) {
      if (at % 100 === 0) lines.push(`=== Miejsce ${chance.whole(1, archive.places)} ===`)
      const clause = clauses.next()
      const said = clause.done === true ? `wiersz ${at}` : clause.value
      const time = `${String(18 + Math.floor(at / 60)).padStart(2, '0')}:${String(at % 60).padStart(2, '0')}`
      lines.push(`[${time}] [Lokalny] Mówca ${chance.pick(speakers)}: ${said}`)
    }
    texts.push(lines.join('\n'))
  }
  return texts
}

const blobOf = (at: number): BlobId => {
  const id = at.toString(16).padStart(40, '0')
  if (!BlobId.is(id)) throw new Error(`${id} is no blob`)
  return id
}

const logOf = (text: string, at: number): LogToIndex => {
  const name = `log-${String(at).padStart(5, '0')}`
  const bytes = Buffer.from(text)
  const day = `20${String(10 + (at % 16)).padStart(2, '0')}-${String(1 + (at % 12)).padStart(2, '0')}-01`
  return {
    ...{
      name,
      version: String(at),
      blob: blobOf(at),
      path: `logi/${name}.txt`,
      header: `${day}, Sesja ${at}, N`,
    },
    ...{ title: `Sesja ${at}`, day, dayEnd: null },
    transcript: atOnce(parseTranscript(bytes, { name, address: `https://logi.example/${name}` })),
  }
}

const wordsOf = (query: string): QueryWords =>
  termsOf(query, noLemmas).map((key, at) => ({ key, covers: 1 << at }))

/** What the same query costs without the rows of Kronika: a count and the texts of the first page. */
const bareQueries = ({ sqlite }: TranscriptFile) => {
  const ids = sqlite.prepare('SELECT id FROM word WHERE word = ?')
  const count = sqlite.prepare('SELECT count(*) FROM posting WHERE posting MATCH ?')
  const page = sqlite.prepare(
    'SELECT line.text FROM posting JOIN line ON line.row = posting.rowid WHERE posting MATCH ? ORDER BY posting.rowid LIMIT ?',
  )
  return (words: QueryWords): void => {
    const tokens = words.flatMap(({ key }) => {
      const [id] = ids.column(key)
      return typeof id === 'number' ? [`"${id.toString(35)}"`] : []
    })
    if (tokens.length < words.length || tokens.length === 0) return
    const expression = tokens.join(' AND ')
    count.column(expression)
    page.all(expression, pageLines)
  }
}

const timed = <A>(questions: ReadonlyArray<A>, ask: (question: A) => unknown): ReadonlyArray<number> =>
  questions.map(question => {
    const startedMs = performance.now()
    ask(question)
    return performance.now() - startedMs
  })

/** The index of transcripts, in the process and without its thread: how it is built, opened, asked and changed. */
export const transcriptFigures = async (folder: string): Promise<ReadonlyArray<Figure>> => {
  const path = join(await mkdtemp(join(folder, 'transcripts-')), 'index.db')
  const texts = textsOf()
  const bytes = texts.reduce((sum, text) => sum + Buffer.byteLength(text), 0)
  const builtMs = performance.now()
  const draft = draftTranscriptFile(path)
  for (const [at, text] of texts.entries()) draft.add([logOf(text, at)], noLemmas)
  draft.finish('bench')
  const buildMs = performance.now() - builtMs
  const openMs = timed([1, 2, 3, 4, 5], () => openTranscriptFile(path).close())
  const file = openTranscriptFile(path)
  const queries = lineQueries(file)
  const collectedMs = performance.now()
  const collector = collectMentions()
  for (const { log, lines } of spokenLines(file, spokenChannel)) {
    collector.beginLog(log)
    for (const { index, text } of lines) collector.addLine(index, text)
  }
  collector.finish()
  const mentionsMs = performance.now() - collectedMs
  const chance = chanceOf('pytania')
  const words = drawQueries(rankWords(texts.slice(0, 400)), queriesAsked, chance).map(wordsOf)
  const page = (filter: Partial<LineFilter>) =>
    queries.lines({ filter: { ...anyLine, ...filter }, limit: pageLines, offset: 0 })
  const bare = bareQueries(file)
  timed(words.slice(0, 40), terms => page({ terms: [terms] }))
  const ratios = words.map(terms => {
    const [own = 0] = timed([terms], one => page({ terms: [one] }))
    const [plain = 1] = timed([terms], bare)
    return [own, plain] as const
  })
  const speakers = Array.from({ length: questionsAsked }, () => [
    `Mówca ${chance.whole(1, archive.speakers)}`,
  ])
  const spoken = { channel: spokenChannel, isSpoken: true }
  const lineMs = timed(speakers, own => page({ ...spoken, speakers: own }))
  const speechMs = timed(speakers, own =>
    queries.tallies({ filter: { ...anyLine, ...spoken, speakers: own } }),
  )
  const sceneMs = timed(speakers, own =>
    queries.scenes({ filter: { ...anyLine, ...spoken, speakers: own }, limit: pageLines, offset: 0 }),
  )
  const changes = texts.slice(0, applied).map((text, at) => logOf(text, archive.logs + at))
  const applyMs = timed(changes, log =>
    file.apply({ dropped: [], added: [log], stamp: log.version, lemmas: noLemmas }),
  )
  file.close()
  const own = ratios.map(([one]) => one)
  return [
    figureAtMost('2,000 transcripts of 300 lines parsed and indexed', 'ms', 60_000, buildMs),
    figureAtMost('mentions of them', 'ms', 60_000, mentionsMs),
    figureAtMost('their index on disk, by their bytes', 'x', 3, statSync(path).size / bytes),
    figureAtMost('the index opened', 'ms', 300, median(openMs)),
    figureAtMost(
      'lines by words, median, by bare FTS5',
      'x',
      1.5,
      median(own) / median(ratios.map(([, two]) => two)),
    ),
    figureWithoutBar('lines by words, median', 'ms', median(own)),
    figureWithoutBar('lines by words, p99', 'ms', percentile(own, 0.99)),
    figureAtMost('lines of a speaker, median', 'ms', 5, median(lineMs)),
    figureAtMost('lines of a speaker, p99', 'ms', 50, percentile(lineMs, 0.99)),
    figureAtMost('speech of a speaker, median', 'ms', 5, median(speechMs)),
    figureAtMost('speech of a speaker, p99', 'ms', 50, percentile(speechMs, 0.99)),
    figureWithoutBar('scenes of a speaker, median', 'ms', median(sceneMs)),
    figureAtMost('one more transcript indexed, median', 'ms', 500, median(applyMs)),
  ]
}
