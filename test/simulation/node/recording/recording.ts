import { readFileSync, writeFileSync } from 'node:fs'

/** The events of one seed, with what is needed to run it again. */
export interface Recording {
  readonly world: string
  readonly seed: number
  /** A line for each event, in order, each made by `eventLineOf`. */
  readonly events: ReadonlyArray<string>
}

/** Where two runs of a seed part: the number of the event, from 1, and what each run has there. */
export interface FirstDifference {
  readonly at: number
  readonly recorded: string | null
  readonly replayed: string | null
}

const format = 1

/** An event of several lines as one line. */
export const eventLineOf = (event: string): string =>
  event.replaceAll('\\', '\\\\').replaceAll('\n', '\\n').replaceAll('\r', '\\r')

export const encodeRecording = ({ world, seed, events }: Recording): string =>
  [JSON.stringify({ format, world, seed }), ...events].join('\n').concat('\n')

/** Reads what `encodeRecording` wrote; throws where the first line is no header of this format. */
export const decodeRecording = (text: string): Recording => {
  const [first = '', ...events] = text.split('\n')
  const complaint = 'the first line of a trace is {"format":1,"world":…,"seed":…}: write the trace again'
  const header = /^\{"format":(\d+),"world":"(\w+)","seed":(\d+)\}$/u.exec(first)
  if (header?.[1] !== String(format)) throw new Error(complaint)
  if (events.at(-1) === '') events.pop()
  return { world: header[2] ?? '', seed: Number(header[3]), events }
}

export const writeRecording = (path: string, recording: Recording): void =>
  writeFileSync(path, encodeRecording(recording))

export const readRecording = (path: string): Recording => decodeRecording(readFileSync(path, 'utf8'))

/** The first event in which a replay is not the recording; null where they are the same. */
export const findFirstDifference = (
  recorded: ReadonlyArray<string>,
  replayed: ReadonlyArray<string>,
): FirstDifference | null => {
  const length = Math.max(recorded.length, replayed.length)
  for (let at = 0; at < length; at += 1)
    if (recorded[at] !== replayed[at])
      return { at: at + 1, recorded: recorded[at] ?? null, replayed: replayed[at] ?? null }
  return null
}

export const describeFirstDifference = (
  { at, recorded, replayed }: FirstDifference,
  before: ReadonlyArray<string>,
): ReadonlyArray<string> => [
  ...before.slice(Math.max(0, at - 6), at - 1).map(line => `  ${line}`),
  `- ${recorded ?? 'the recording ends here'}`,
  `+ ${replayed ?? 'the replay ends here'}`,
  `event ${at} is the first that differs`,
]
