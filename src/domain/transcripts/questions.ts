import type { LineKind, Segment } from './transcript.js'

/** The words of a query: a line has them where it has, for each bit of `covers`, one of its keys. */
export type QueryWords = ReadonlyArray<{ readonly key: string; readonly covers: number }>

/** Which lines are meant. Every bound that is null admits all. */
export interface LineFilter {
  /** Queries: a line is meant that has the words of one of them. */
  readonly terms: ReadonlyArray<QueryWords> | null
  /** Names of transcripts. */
  readonly logs: ReadonlyArray<string> | null
  /** Speakers as written. */
  readonly speakers: ReadonlyArray<string> | null
  readonly notSpeakers: ReadonlyArray<string>
  /** Speakers whose lines are left out of single transcripts. */
  readonly except: ReadonlyArray<readonly [log: string, speakers: ReadonlyArray<string>]>
  /** Compared without regard to case. */
  readonly channel: string | null
  /** Only what somebody said or did. */
  readonly isSpoken: boolean
  /** Headings of places as written: lines below one of them. */
  readonly places: ReadonlyArray<string> | null
  /** Days `YYYY-MM-DD`, inclusive; a bound leaves out undated transcripts. */
  readonly from: string | null
  readonly to: string | null
  /** Whether lines that name restricted topics are meant too. */
  readonly withTopics: boolean
}

/** The channel that speech is: what everybody in the place hears. */
export const spokenChannel = 'Lokalny'

export const anyLine: LineFilter = {
  terms: null,
  logs: null,
  speakers: null,
  notSpeakers: [],
  except: [],
  channel: null,
  isSpoken: false,
  places: null,
  from: null,
  to: null,
  withTopics: false,
}

/** The session that dates a transcript: the earliest one that cites it. All null where none does. */
export interface LogDate {
  readonly header: string | null
  readonly title: string | null
  readonly day: string | null
  readonly dayEnd: string | null
}

/** A line as the index has it: `speaker` as written. */
export interface FoundLine {
  readonly log: string
  readonly header: string | null
  /** The day of the transcript; `day` of a line counts midnights. */
  readonly date: string | null
  readonly place: string | null
  readonly index: number
  readonly time: string | null
  readonly day: number
  readonly kind: LineKind
  readonly channel: string | null
  readonly segment: number | null
  readonly speaker: string | null
  readonly text: string
  readonly dice: string | null
  readonly start: number
  readonly end: number
}

export interface FoundLines {
  readonly total: number
  /** By day, name of the transcript and place in it; undated transcripts last. */
  readonly lines: ReadonlyArray<FoundLine>
}

/** A transcript as the index has it. Lines that are withheld are left out of `lines`. */
export interface FoundLog extends LogDate {
  readonly name: string
  readonly address: string
  readonly parser: number
  readonly format: string
  readonly sha256: string
  readonly lineCount: number
  readonly unread: number
  readonly segments: ReadonlyArray<Segment>
  readonly lines: ReadonlyArray<FoundLine>
}

/** What one surface form of a speaker said. */
export interface SpeakerTally {
  readonly speaker: string
  readonly lines: number
  readonly words: number
  readonly logs: number
  readonly first: string | null
  readonly last: string | null
}

/** What was said in one transcript. */
export interface LogTally extends LogDate {
  readonly log: string
  readonly lines: number
  readonly words: number
  readonly speakers: ReadonlyArray<readonly [speaker: string, lines: number]>
}

/** A stretch in one place in which the meant lines are; `place` is null before the first heading. */
export interface FoundScene extends Pick<LogTally, 'log' | 'header' | 'day'> {
  readonly segment: number | null
  readonly place: string | null
  /** Indexes of its first and last line, and their times. */
  readonly first: number
  readonly last: number
  readonly from: string | null
  readonly to: string | null
  readonly lines: number
  readonly company: ReadonlyArray<readonly [speaker: string, lines: number]>
}

/** The meant lines of one year; the year is null for undated transcripts. */
export interface YearOfLines {
  readonly year: string | null
  readonly count: number
  readonly lines: ReadonlyArray<FoundLine>
}

/** A name as written that several transcripts have. */
export interface CommonSurface {
  readonly name: string
  readonly logs: number
  readonly lines: number
}

/** How the index is asked; one answer type for each question. */
export interface TranscriptQuestions {
  readonly lines: {
    readonly question: { readonly filter: LineFilter; readonly limit: number; readonly offset: number }
    readonly answer: FoundLines
  }
  readonly log: {
    readonly question: { readonly name: string; readonly withTopics: boolean; readonly withLines: boolean }
    readonly answer: FoundLog | null
  }
  readonly speakers: {
    readonly question: { readonly filter: LineFilter }
    readonly answer: ReadonlyArray<SpeakerTally>
  }
  readonly tallies: {
    readonly question: { readonly filter: LineFilter }
    readonly answer: ReadonlyArray<LogTally>
  }
  readonly scenes: {
    readonly question: { readonly filter: LineFilter; readonly limit: number; readonly offset: number }
    readonly answer: { readonly total: number; readonly scenes: ReadonlyArray<FoundScene> }
  }
  readonly places: { readonly question: null; readonly answer: ReadonlyArray<string> }
  /** Of single lines, those that pass the filter, by year: the count, and the first ones. */
  readonly years: {
    readonly question: {
      readonly at: ReadonlyArray<readonly [log: string, indexes: ReadonlyArray<number>]>
      readonly filter: LineFilter
      readonly linesMax: number
    }
    readonly answer: ReadonlyArray<YearOfLines>
  }
  /** The surfaces of the index of mentions with one of these words; null while there is none. */
  readonly surfaces: {
    readonly question: { readonly words: ReadonlyArray<string> }
    readonly answer: ReadonlyArray<string> | null
  }
  /** The lines with one of these surfaces that pass the filter, by year. */
  readonly mentions: {
    readonly question: {
      readonly surfaces: ReadonlyArray<string>
      readonly filter: LineFilter
      readonly linesMax: number
    }
    readonly answer: ReadonlyArray<YearOfLines> | null
  }
  readonly commonSurfaces: {
    readonly question: { readonly logsMin: number }
    readonly answer: ReadonlyArray<CommonSurface> | null
  }
}
