import { createHash } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { getOrElse, left, right } from 'fp-ts/lib/Either.js'
import { refuse } from '#protocol/refusal.js'
import { lineQueries, spokenLines } from '#src/adapters/transcripts/line-queries.js'
import {
  draftTranscriptFile,
  type LogToIndex,
  openTranscriptFile,
} from '#src/adapters/transcripts/transcript-file.js'
import { noLemmas } from '#src/domain/search/texts/documents.js'
import { citationsOf, dateOfLog } from '#src/domain/transcripts/archive.js'
import { collectMentions, openMentions } from '#src/domain/transcripts/mention-index.js'
import { spokenChannel } from '#src/domain/transcripts/questions.js'
import { decodeTranscript, encodeTranscript, unparsedTranscript } from '#src/domain/transcripts/sidecar.js'
import type { LineKind, Segment, SpokenLine, Transcript } from '#src/domain/transcripts/transcript.js'
import type { TranscriptIndex } from '#src/ports/transcripts.js'
import type { Snapshot } from '#src/snapshot/snapshot.js'

/** A line of a test: `Kanał|Mówca|tekst`, `=== Miejsce ===`, or any other text, which no format reads. */
export const transcriptOf = (name: string, address: string, written: ReadonlyArray<string>): Transcript => {
  const lines: Array<SpokenLine> = []
  const segments: Array<Segment> = []
  let at = 0
  for (const [index, text] of written.entries()) {
    const bytes = Buffer.byteLength(`${text}\n`)
    const place = /^=== (.+) ===$/u.exec(text)?.[1]
    const [channel, speaker, ...said] = text.split('|')
    const isSaid = place === undefined && said.length > 0
    if (place !== undefined) segments.push({ place, first: index, last: index })
    const open = segments.at(-1)
    if (open !== undefined) segments[segments.length - 1] = { ...open, last: index }
    const kind: LineKind = place !== undefined ? 'place' : isSaid ? 'say' : 'unread'
    lines.push({
      index,
      time: isSaid ? `20:${String(index % 60).padStart(2, '0')}` : null,
      day: 0,
      kind,
      channel: isSaid ? (channel ?? null) : null,
      segment: segments.length === 0 ? null : segments.length - 1,
      speaker: isSaid ? (speaker ?? null) : null,
      text: place ?? (isSaid ? said.join('|') : text),
      dice: null,
      start: at,
      end: at + bytes,
    })
    at += bytes
  }
  return {
    parser: 1,
    name,
    address,
    sha256: createHash('sha256').update(textOf(written)).digest('hex'),
    format: 'channels',
    lines,
    segments,
    unread: lines.filter(({ kind }) => kind === 'unread').length,
  }
}

const textOf = (written: ReadonlyArray<string>): string => written.map(text => `${text}\n`).join('')

/** The files of an archived transcript, by their paths in the lore. */
export const archivedFiles = (
  name: string,
  address: string,
  written: ReadonlyArray<string>,
): Readonly<Record<string, string>> => ({
  [`logi/${name}.txt`]: textOf(written),
  [`logi/${name}.json`]: encodeTranscript(transcriptOf(name, address, written)),
})

/** The transcripts of a snapshot as they are indexed; `files` has their sidecars. */
export const logsToIndex = (
  { archive, sessions }: Pick<Snapshot, 'archive' | 'sessions'>,
  files: Readonly<Record<string, string>>,
): ReadonlyArray<LogToIndex> => {
  const cited = citationsOf(sessions)
  return [...archive.values()].map(({ name, text, sidecar }) => ({
    ...dateOfLog(cited, name),
    name,
    version: `${text.blob} ${sidecar?.blob ?? ''}`,
    blob: text.blob,
    path: text.path,
    transcript:
      sidecar === null
        ? unparsedTranscript(name, '')
        : getOrElse(() => unparsedTranscript(name, ''))(decodeTranscript(files[sidecar.path] ?? '')),
  }))
}

/** The index of the transcripts of a snapshot, in a folder that is removed with the process. */
export const transcriptsInMemory = (
  snapshot: Pick<Snapshot, 'archive' | 'sessions'>,
  files: Readonly<Record<string, string>>,
): TranscriptIndex => {
  const folder = mkdtempSync(join(tmpdir(), 'kronika-transcripts-'))
  const path = join(folder, 'index.db')
  const draft = draftTranscriptFile(path)
  draft.add(logsToIndex(snapshot, files), noLemmas)
  draft.finish('of the tests')
  const file = openTranscriptFile(path)
  rmSync(folder, { recursive: true })
  const collector = collectMentions()
  for (const { log, lines } of spokenLines(file, spokenChannel)) {
    collector.beginLog(log)
    for (const { index, text } of lines) collector.addLine(index, text)
  }
  const mentions = openMentions(collector.finish())
  const queries = lineQueries(file, () => mentions)
  const reading = { stamp: file.stamp(), logs: file.logs().length, lines: file.lines() }
  return {
    ask: (name, question) => Promise.resolve(right(queries[name](question))),
    rebuild: () => Promise.resolve(right(reading)),
    reading: () => reading,
  }
}

/** The index of a host that has not built one yet. */
export const noTranscripts: TranscriptIndex = {
  ask: () => Promise.resolve(left(refuse('Starting', 'The index of transcripts is not built yet.'))),
  rebuild: () => Promise.resolve(left(refuse('Overloaded', 'No index in this test.'))),
  reading: () => null,
}
