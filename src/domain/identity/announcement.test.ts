import { equal } from 'node:assert/strict'
import { describe, it } from 'mocha'
import { type Announced, type Authorised, assignmentSentence, registrationSentence } from './announcements.js'

const brzoza: Announced = {
  chatId: '111',
  gameId: '41001',
  gracz: 'Brzoza',
  alreadyLinked: false,
  displaces: null,
  replaces: null,
}
const is = 'Konto czatu 111 jest teraz powiązane z graczem „Brzoza” (id 41001).'
const loses = 'Konto czatu 222 traci powiązanie z tym graczem.'
const ends = 'Poprzednie powiązanie tego konta wygasa: gracz „Żaneta”, id 41002.'
const replaces = { gameId: '41002', gracz: 'Żaneta' }

const registrations: ReadonlyArray<readonly [string, Announced, string]> = [
  ['a registration', brzoza, is],
  [
    'one that stands already',
    { ...brzoza, alreadyLinked: true },
    'Konto czatu 111 jest już powiązane z graczem „Brzoza” (id 41001).',
  ],
  ['one that displaces', { ...brzoza, displaces: '222' }, `${is} ${loses}`],
  ['one that replaces', { ...brzoza, replaces }, `${is} ${ends}`],
  [
    'one that replaces an id nobody has any more',
    { ...brzoza, replaces: { ...replaces, gracz: null } },
    `${is} Poprzednie powiązanie tego konta wygasa: id 41002.`,
  ],
  ['one that does both', { ...brzoza, displaces: '222', replaces }, `${is} ${loses} ${ends}`],
]

const karol: Authorised = { chatId: '333', gracz: 'Karol', role: 'Radny', guildRole: 'Rada Miasta' }
const allows = 'upoważnia do tego rola „Radny” (na serwerze czatu: „Rada Miasta”).'

const assignments: ReadonlyArray<readonly [string, Announced, Authorised, string]> = [
  ['an assignment', brzoza, karol, `${is} Powiązania dokonuje konto czatu 333 (gracz „Karol”); ${allows}`],
  [
    'one by an account that is not linked, that does both',
    { ...brzoza, displaces: '222', replaces },
    { ...karol, gracz: null },
    `${is} ${loses} ${ends} Powiązania dokonuje konto czatu 333; ${allows}`,
  ],
]

describe('the announcement of', () => {
  for (const [what, announced, sentence] of registrations)
    it(what, () => {
      equal(registrationSentence(announced), sentence)
    })
  for (const [what, announced, by, sentence] of assignments)
    it(what, () => {
      equal(assignmentSentence(announced, by), sentence)
    })
})
