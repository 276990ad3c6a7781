import { equal, notEqual } from 'node:assert/strict'
import { describe, it } from 'mocha'
import { reduceWord } from './reduce-word.js'

/** Words with forms that the rules have to bring together. */
const words = `
kapłanka kapłance kapłanek kapłankami
strażnik strażnika strażnicy strażników strażnikami
zamek zamku zamkowi zamki
kupiec kupca kupcy kupcowi
starzec starca starcy
droga dróg drogą drodze
książka książkę książce książek
gość gościa gośćmi gościom
miasto mieście miast
człowiek ludzie ludźmi człowieka
kamienny kamiennego kamienną kamiennymi
umowa umowie umowy umów
akcja akcji akcję
biografia biografii biografie
pisać pisał pisała pisali
budować budował buduje budują
Steve’a Steve
zły złego źli
`

const lines = words
  .trim()
  .split('\n')
  .map(line => line.toLowerCase().split(' '))

describe('the key of a word', () => {
  for (const [lemma = '', ...forms] of lines)
    it(`is one for ${lemma} and its forms`, () => {
      for (const form of forms) equal(reduceWord(form), reduceWord(lemma), form)
    })

  it('differs for words that are no forms of one', () => {
    for (const [one, other] of [
      ['most', 'mostek'],
      ['rzeka', 'ręka'],
      ['smok', 'smog'],
      ['wieża', 'wiara'],
    ] as const)
      notEqual(reduceWord(one), reduceWord(other), `${one} ${other}`)
  })

  it('is the word without diacritics for a number, a short word and a very long one', () => {
    equal(reduceWord('2024'), '2024')
    equal(reduceWord('żuk'), 'zuk')
    equal(reduceWord('ą'.repeat(100)), 'a'.repeat(100))
  })
})
