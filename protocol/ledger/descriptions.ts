import type { Descriptions } from '../description.js'

const ref = {
  ref: 'Name of the ref, such as `rada`.',
  title: 'Title of the ref, in Polish.',
} as const

const day = {
  at: 'Day of the answer, `YYYY-MM-DD`.',
  at_ig: 'That day in the calendar of the game; null without a calendar.',
} as const

const kind = {
  kind: 'Whether it is an office, an instrument or a rule.',
  cardinality: 'How much it holds at a time: one, many, a set or a value.',
} as const

const sourced = {
  confidence: 'How sure the source is: `exact`, `wysoka`, `średnia` or `niska`; null when not told.',
  source_authority:
    'Kind of the source: `garmory`, `rozporzadzenie`, `sprawozdanie` or `podpis`; null when not told.',
  evidence: 'Posts that bear it out.',
} as const

const until = 'Last day as written: `YYYY-MM-DD` or `YYYY-MM`; null when open.'
const applied =
  'Number of transitions that the state rests on; 0 when the ledger reaches nothing by that day.'

export const ledgerDescriptions: Descriptions = {
  Evidence: {
    post: 'Number or address of the post.',
    author: 'Author of the post; null when not told.',
    quote: 'Words of the post; null when none are cited.',
  },
  Holder: {
    subject: 'Name of who holds the office.',
    since: 'First day, `YYYY-MM-DD`.',
    until,
    grade: 'Grade of the office; null when not told.',
    suspended: 'Whether the holder is suspended; null when the ledger does not say.',
    absent: 'Whether the holder is absent; null when the ledger does not say.',
    ...sourced,
  },
  Instrument: {
    subject: 'Name of the document.',
    since: 'Day it was enacted, `YYYY-MM-DD`.',
    amended: 'Day it was last amended, `YYYY-MM-DD`; null when never.',
    until,
    version: 'Version of the text; null when not told.',
    status: 'Whether it is in force on the day of the answer.',
    de_facto: 'Whether it is followed in practice; null when the ledger does not say.',
    ...sourced,
  },
  RefState: {
    ...ref,
    ...day,
    ...kind,
    applied,
    holders: 'Who holds the office; empty for other kinds.',
    instruments: 'Documents of the set; empty for other kinds.',
    value: 'Value of the rule; null for other kinds and when none is set.',
  },
  RefSummary: {
    ...ref,
    ...kind,
    transitions: 'Number of transitions of the ref.',
    first: 'Day of the first one, `YYYY-MM-DD`; null without any.',
    last: 'Day of the last one, `YYYY-MM-DD`; null without any.',
  },
  GovernanceRefs: {
    items: 'Every ref of the ledger.',
    corpus: 'The works tree that the ledger was read from; null without one.',
    findings: 'Lines that are refused or doubtful.',
  },
  'GovernanceRefs.corpus': {
    commit: 'Commit of the works tree; null on a plain directory.',
    transitions: 'Number of transitions in it.',
  },
  LedgerFinding: {
    kind: 'Kind of the finding, from a closed set.',
    severity: 'Whether it is an error or a warning.',
    ref: 'Name of the ref.',
    seq: 'Number of the line as written; null when it has none.',
    subject: 'Name that the finding is about; null without one.',
    file: 'Path of the file in the works tree.',
    line: 'Line in the file, counted from 1; null when the finding is of the whole file.',
    reason: 'What is wrong, in Polish.',
  },
  Kadencja: {
    year: 'Year that gives the term its number.',
    from: 'First day, `YYYY-MM-DD`.',
    to: 'Last day, `YYYY-MM-DD`.',
  },
  GovernancePin: {
    ...day,
    kadencja: 'Term of the council on that day.',
    refs: 'State of every ref, by its name.',
    regulations: 'Version of each document in force, by its name; null when not told.',
  },
  GovernanceLog: { ...ref, items: 'Transitions, oldest first.' },
  TransitionRow: {
    ref: 'Name of the ref.',
    seq: 'Number of the line in the file of the ref.',
    date: 'Day of the transition, `YYYY-MM-DD`.',
    instrument_date: 'Date of the document that orders it, `YYYY-MM-DD`; null when not told.',
    date_basis:
      'Where `date` comes from: `stated`, `instrument`, `regulation` or `period`; null when not told.',
    op: 'What happens, such as `appoint`, `enact` or `set`.',
    subject: 'Person or document; null when not told.',
    subject_surface: 'The same in the spelling of the source; null when not told.',
    act: 'Document that orders the transition; null when not told.',
    until,
    until_precision: 'Whether `until` is a day or a month; null without `until`.',
    sieve: 'Program that read the transition out of the posts; null when a person wrote it.',
    ...sourced,
    conflicts: 'Lower sources that say otherwise.',
    value: 'Value that a rule is set to, or version of a document; null without one.',
    de_facto: 'Whether it is followed in practice; null when the line does not say.',
  },
  GovernanceHeld: {
    ...ref,
    held: 'True when the subject holds the office on that day.',
    subject: 'Name that was asked for.',
    matched: 'Name in the ledger that it means; null when it means none or several.',
    at: 'Day of the answer, `YYYY-MM-DD`.',
    since: 'First day of the hold, `YYYY-MM-DD`; null when not held.',
    grade: 'Grade of the office; null when not told.',
    suspended: 'Whether the holder is suspended; null when the ledger does not say.',
    applied,
  },
}
