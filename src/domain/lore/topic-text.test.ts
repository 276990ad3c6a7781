import { equal } from 'node:assert/strict'
import { isTopicLine, removeTopics } from './topic-text.js'
import { isTopicTag, namesTopics } from './withheld-tags.js'

describe('text that reads as restricted topics', () => {
  it('is known by near spellings of the tag', () => {
    for (const tag of [
      'tematy',
      'trigger',
      'tematy_zastrzezone',
      'tematyzastrzezone',
      'temat_zastrzeżony',
      'tematy zastrzezone gracza',
      'tematy-zastrzeżone',
    ])
      equal(isTopicTag(tag), true, tag)
    for (const tag of ['temat', 'typ', 'tematyka', 'triggery', 'stan']) equal(isTopicTag(tag), false, tag)
  })

  it('is known at the beginning of a line, of a value and before a colon', () => {
    for (const line of [
      '- @trigger: x',
      '@info: Tematy zastrzeżone x',
      'Ma tematy zastrzeżone: x',
      '@tematy',
    ])
      equal(isTopicLine(line), true, line)
    for (const line of ['Ulubione tematy: magia', 'Tematyka: morze', 'Zna tematy zastrzeżone dla magów.'])
      equal(isTopicLine(line), false, line)
  })

  it('is known with characters in it that a reader does not see, and with long runs of marks', () => {
    for (const line of [
      'Tem\u00adaty zastrzeżone: x',
      'Te\u200bmaty za\u2060strzeżone: x',
      `Tematy zastrzeżone: x${'\u0315\u0323'.repeat(200_000)}`,
    ])
      equal(isTopicLine(line), true, line.slice(0, 40))
    equal(removeTopics('Ma te\u00admaty\nza\u00adstrzeżone: X'), null)
    equal(namesTopics('Ma te\u00admaty\nzastrzeżone: X'), true)
  })

  it('is left out of a value with all that stands below it', () => {
    equal(removeTopics('a\n\nb'), 'a\n\nb')
    equal(removeTopics('coś\n@tematy_zastrzezone: X\nY'), 'coś')
    equal(removeTopics('**Tematy zastrzeżone:** X'), null)
    equal(removeTopics('Ma tematy\nzastrzeżone: X'), null)
  })
})
