import type { Descriptions } from '../description.js'

export const pointsDescriptions: Descriptions = {
  PuCredit: {
    character: 'Heading of the character.',
    granted: 'PU that the batch gave it, two decimals; null where an adopted batch does not tell.',
    sessions: 'Headings of the sessions that gave them.',
  },
  PuTimelineItem: {
    date: 'Day of the batch, `YYYY-MM-DD`.',
    month: 'Month that the batch settles, `YYYY-MM`; null where an adopted batch does not tell.',
    source: 'Whether the batch was adopted (`legacy`) or made by the daemon.',
    character: 'Heading of the character of the filter; null without `?character=`.',
    granted: 'PU of that character, or of all, two decimals; null when one number is not known.',
    sessions: 'Headings of the sessions that the batch settled, for that character or all.',
    credits: 'What the batch gave, by character.',
  },
  PuHistory: { assignments: 'The batches, newest first.' },
  PuAssignment: { date: 'Day of the batch, `YYYY-MM-DD`.', sessions: 'Number of sessions that it settled.' },
  NewCharacterBaseline: {
    Player: 'Heading of the person.',
    SumZdobyte: 'PU that the characters of the person have earned altogether, two decimals.',
    Startowe: 'PU that a new character of the person starts with, two decimals.',
  },
  EligibilityRow: {
    Gracz: 'Heading of the person.',
    PuScore: 'PU awarded in the window, less the monthly base of each character and month.',
    ActiveMonths: 'Number of months in which a character of the person was awarded PU.',
    Total: '`PuScore` plus `ActiveMonths`, compared with the threshold.',
    Status: 'Whether the person may vote.',
  },
}
