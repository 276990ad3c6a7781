import { isLeft } from 'fp-ts/lib/Either.js'
import { type Chance, chanceOf } from '#src/demo/chance.js'
import { atOnce } from '#src/domain/slicing/sliced.js'
import { parseTranscript } from '#src/domain/transcripts/parse.js'
import { decodeTranscript, encodeTranscript } from '#src/domain/transcripts/sidecar.js'
import type { Transcript } from '#src/domain/transcripts/transcript.js'

/** A law that the parser of transcripts broke. */
export interface TranscriptComplaint {
  readonly input: string
  readonly why: string
}

/** Parses this many hostile texts, and returns what was wrong. The same for the same seed. */
export const fuzzTranscripts = (
  seed: string,
  count: number,
  done: (count: number) => void = () => undefined,
): ReadonlyArray<TranscriptComplaint> => {
  const chance = chanceOf(seed)
  const complaints: Array<TranscriptComplaint> = []
  for (let at = 1; at <= count; at += 1) {
    const bytes = drawText(chance)
    const why = faultOf(bytes)
    if (why !== null) complaints.push({ input: JSON.stringify(bytes.toString('latin1').slice(0, 300)), why })
    done(at)
  }
  return complaints
}

/** The largest share of processor time that a text of twice the bytes may take: a parser in the square takes four times. */
const ratioMax = 3

/** Texts of one kind by their number of repetitions, and the number that the larger one has. */
export const growing: ReadonlyArray<readonly [kind: string, times: number, text: (times: number) => string]> =
  [
    ['a line of 20 MiB', 20 * 1024 * 1024, times => `[20:00] Orrin: ${'a '.repeat(times / 2)}`],
    ['a line of 20 MiB without a space', 20 * 1024 * 1024, times => 'a'.repeat(times)],
    ['colons', 4_000_000, times => `Orrin${':'.repeat(times)}`],
    ['brackets', 4_000_000, times => '['.repeat(times)],
    ['stars', 4_000_000, times => `[20:00] ${'*'.repeat(times)}`],
    ['NULs', 8_000_000, times => '\u0000'.repeat(times)],
    ['white lines', 8_000_000, times => ' \n'.repeat(times / 2)],
    ['a million segments', 1_000_000, times => '=== A ===\n'.repeat(times)],
    ['signs of equality', 4_000_000, times => '='.repeat(times)],
    ['emotes', 400_000, times => '[20:00] * Orrin z Zamorza siada\n'.repeat(times)],
    [
      'speakers',
      200_000,
      times => Array.from({ length: times }, (_, at) => `[20:00] Osoba${at}: a\n`).join(''),
    ],
    ['JSON lines', 100_000, times => '{"kto":"Orrin","tekst":"hej"}\n'.repeat(times)],
    ['braces', 2_000_000, times => `{"guild": {}, "channel": {}, "messages": [${'{'.repeat(times)}`],
    ['quotes', 4_000_000, times => `{"guild": {}, "channel": {}, "messages": [${'"\\'.repeat(times / 2)}`],
    [
      'blocks',
      200_000,
      times => `${'='.repeat(62)}\nGuild: A\n${'[12/25/2023 8:30 PM] A\na\n'.repeat(times)}`,
    ],
    ['carriage returns', 400_000, times => 'a\r'.repeat(times)],
    ['colour codes', 4_000_000, times => `[20:00] Orrin: ${'\u000304,01'.repeat(times / 6)}`],
    ['dice', 4_000_000, times => `[20:00] Orrin: ${'k1'.repeat(times / 2)}`],
  ]

/** Whether a text of twice the length takes at most thrice the processor time, and is read by the laws. */
export const judgeGrowth = (
  times: number,
  text: (times: number) => string,
): { readonly ratio: number; readonly why: string | null } => {
  const [half, whole] = [Buffer.from(text(times / 2)), Buffer.from(text(times))]
  const why = faultOf(whole)
  // The least of three, so that a collection in one of them does not count.
  const ratio = leastMs(whole) / Math.max(20, leastMs(half))
  return {
    ratio,
    why: why ?? (ratio > ratioMax ? `twice the bytes took ${ratio.toFixed(1)} times as long` : null),
  }
}

const leastMs = (bytes: Buffer): number =>
  Math.min(
    ...[1, 2, 3].map(() => {
      const before = process.cpuUsage()
      read(bytes)
      return process.cpuUsage(before).user / 1_000
    }),
  )

const read = (bytes: Buffer): Transcript =>
  atOnce(parseTranscript(bytes, { name: 'a', address: 'https://logi.example/a' }))

/** The law that the parser breaks on these bytes; null where it breaks none. */
const faultOf = (bytes: Buffer): string | null => {
  try {
    const parsed = read(bytes)
    let at = 0
    for (const [index, line] of parsed.lines.entries()) {
      if (line.index !== index) return `line ${index} has the index ${line.index}`
      if (line.start !== at || line.end <= line.start)
        return `line ${index} begins at ${line.start}, not at ${at}`
      at = line.end
    }
    if (at !== bytes.length) return `the lines end at ${at} of ${bytes.length} bytes`
    const misplaced = parsed.segments.findIndex(({ first, last }, segment) =>
      [first, last].some(index => parsed.lines[index]?.segment !== segment),
    )
    if (misplaced >= 0) return `the segment ${misplaced} has lines of another one`
    if (parsed.unread !== parsed.lines.filter(({ kind }) => kind === 'unread').length) return 'a wrong count'
    if (parsed.lines.length > linesComparedMax) return null
    const sidecar = encodeTranscript(parsed)
    if (sidecar !== encodeTranscript(read(bytes))) return 'reading the same bytes again gives another sidecar'
    const back = decodeTranscript(sidecar)
    return isLeft(back) || encodeTranscript(back.right) !== sidecar ? 'the sidecar is not read back' : null
  } catch (error) {
    return `threw ${String(error)}`
  }
}

/** The sidecar of a longer one would take longer than all that it could show. */
const linesComparedMax = 10_000

/** Parts of lines of every format, and what breaks them. */
const parts: ReadonlyArray<string> = [
  ...['[20:15] ', '[20:15:30] ', '[8:15\u202fPM] ', '[25:61] ', '20:15 ', '[2023-12-25 20:30] ', '(9:05) '],
  ...[
    '[Lokalny] ',
    '[',
    ']',
    '[]',
    '<Orrin> ',
    '<@Selma> ',
    '* ',
    '*',
    '_',
    '-NickServ- ',
    '-!- ',
    '*** Joins: ',
  ],
  ...[
    'Orrin: ',
    'Selma z Zamorza: ',
    'Orrin (szeptem): ',
    ':',
    ': ',
    'powiedział: ',
    'Uwaga: ',
    'https://a.example/b: ',
  ],
  ...[
    'Dobry wieczór.',
    'rzuca 2k6+3 = 11',
    'k20',
    '/me siada',
    '=== Karczma ===',
    '===',
    '======',
    '{"kto":"A","tekst":"b"}',
  ],
  ...[
    '{',
    '}',
    '"',
    '\\',
    '{"guild": {"name": "a"}, "channel": {"name": "b"}, "messages": [',
    '{"timestamp":"2023-01-01T20:00:00"',
  ],
  ...[
    `${'='.repeat(62)}\nGuild: A\nChannel: b / c\n`,
    '[12/25/2023 8:30 PM] Autor\n',
    '{Reactions}',
    'Exported 3 message(s)',
  ],
  ...[
    '\n',
    '\n',
    '\r\n',
    '\r',
    '\u0000',
    '\u000304',
    '\u0002',
    '\u001b[1m',
    '\ufeff',
    '\u2028',
    '\ud83d\ude00',
    ' ',
    '\t',
  ],
]

const drawText = (chance: Chance): Buffer => {
  const pieces = Array.from({ length: 1 + Math.floor(chance.share() * 40) }, () => {
    const kind = chance.share()
    if (kind < 0.03) return Buffer.from(Array.from({ length: 8 }, () => Math.floor(chance.share() * 256)))
    if (kind < 0.04) return Buffer.from('a'.repeat(Math.floor(chance.share() * 5_000)))
    return Buffer.from(parts[Math.floor(chance.share() * parts.length)] ?? '')
  })
  return Buffer.concat(pieces)
}
