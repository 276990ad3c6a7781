import { deepEqual, equal } from 'node:assert/strict'
import { isTopicLine, isTopicTag, isTopicTitle, namesTopics, openItems, removeTopics } from './topic-text.js'

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

  const spellings = [
    'Zastrzeżone tematy',
    'ZASTRZEŻONYCH TEMATÓW',
    'Zastrz. tematy',
    'Zastrzerzone tematy',
    'Tematów zastrzeżonych',
    'Tematami zastrzeżonymi',
    'Temacie zastrzeżonym',
    'Temat zastrzeżony',
    'T e m a t y   z a s t r z e ż o n e',
    'T.e.m.a.t.y z_a_s_t_r_z_e_ż_o_n_e',
    'T-e-m-a-t-y-zastrzeżone',
    'Теmаtу zаѕtrzеżоnе',
    'ТΕМАΤΥ ΖΑЅΤRΖΕΖΟΝΕ',
    'Ｔｅｍａｔｙ ｚａｓｔｒｚｅżｏｎｅ',
    '𝐓𝐞𝐦𝐚𝐭𝐲 𝘻𝘢𝘴𝘵𝘳𝘻𝘦ż𝘰𝘯𝘦',
    'Ⓣematy zastrzeżone',
    'ᴛᴇᴍᴀᴛʏ ᴢᴀꜱᴛʀᴢᴇżᴏɴᴇ',
    'Tématy żastrzeżone',
  ]

  it('is known in both word orders, in every case, spaced, and in letters that look alike', () => {
    for (const spelling of spellings) {
      for (const line of [`${spelling}: x`, `- @info: ${spelling} x`, `Zna ${spelling}: x`, `## ${spelling}`])
        equal(isTopicLine(line), true, line)
      equal(isTopicTitle(`**${spelling}** (18+)`), true, spelling)
      equal(isTopicTag(spelling.toLowerCase().replace(/ +/gu, '_')), true, spelling)
      equal(removeTopics(`coś\n${spelling}: X\nY`), 'coś', spelling)
      equal(namesTopics(`Było.\n\n${spelling}: x`), true, spelling)
    }
    for (const tag of ['тематy', 't_e_m_a_t_y', 'ＴＥＭＡＴＹ', 'trіgger']) equal(isTopicTag(tag), true, tag)
  })

  it('is known where the title is broken over two lines, in a word or between two', () => {
    for (const spelling of spellings)
      for (const at of [3, spelling.indexOf(' ') < 0 ? 5 : spelling.indexOf(' ')]) {
        const letters = Array.from(spelling)
        const broken = `${letters.slice(0, at).join('')}\n  ${letters.slice(at).join('')}: X`
        equal(removeTopics(`coś\n${broken}\nY`), 'coś', broken)
        equal(namesTopics(`coś\n**${broken}`), true, broken)
      }
    equal(removeTopics('coś\ntematy\n\nzastrzeżone: X'), 'coś')
    deepEqual(
      openItems(['Nithal', 'tematy', 'zastrzeżone: X', 'Port'], one => one),
      ['Nithal', 'Port'],
    )
  })

  it('is no other text', () => {
    for (const line of [
      'Rozmawiali na różne tematy: o morzu i o mapach.',
      'Temat: zastrzeżenia kupców.',
      'Zastrzegł, że temat jest trudny: nie mówi o nim.',
      'Mapy są zastrzeżone. Temat wraca: co dalej?',
      'Matematyka i trygonometria: x',
      'Nowy temat.',
    ])
      equal(isTopicLine(line), false, line)
    for (const value of ['Zna tematy\nzastrzeżone dla magów.', 'tematy\nMagia: x', 'Zastrzeżone\nTemat: x'])
      equal(isTopicLine(value.replace('\n', ' ')) === (removeTopics(value) !== value), true, value)
    for (const tag of ['tematyczny', 'temat_sesji', 'zastrzeżenie']) equal(isTopicTag(tag), false, tag)
  })

  it('is left out of a value with all that stands below it', () => {
    equal(removeTopics('a\n\nb'), 'a\n\nb')
    equal(removeTopics('coś\n@tematy_zastrzezone: X\nY'), 'coś')
    equal(removeTopics('**Tematy zastrzeżone:** X'), null)
    equal(removeTopics('Ma tematy\nzastrzeżone: X'), null)
  })
})
