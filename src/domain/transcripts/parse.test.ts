import { deepEqual, equal } from 'node:assert/strict'
import { isRight } from 'fp-ts/lib/Either.js'
import { describe, it } from 'mocha'
import { atOnce } from '#src/domain/slicing/sliced.js'
import { parserVersion, parseTranscript } from './parse.js'
import { decodeTranscript, encodeTranscript } from './sidecar.js'
import type { SpokenLine, Transcript } from './transcript.js'

const names = { name: 'karczma', address: 'https://logi.example/karczma' }
const parse = (text: string | Buffer): Transcript =>
  atOnce(parseTranscript(typeof text === 'string' ? Buffer.from(text) : text, names))

/** Kind, time, channel, speaker and text: what a person sees of a line. */
const seen = ({ kind, time, channel, speaker, text }: SpokenLine) =>
  [kind, time, channel, speaker, text].map(one => one ?? '-').join(' | ')

const readings: ReadonlyArray<
  readonly [what: string, text: string, format: string, lines: ReadonlyArray<string>]
> = [
  [
    'time, channel and speaker',
    '[20:15] [Lokalny] Orrin: Dobry wieczór.\n[20:15:30] [Globalny] Selma z Zamorza: Witaj!\n',
    'chat',
    [
      'say | 20:15 | Lokalny | Orrin | Dobry wieczór.',
      'say | 20:15:30 | Globalny | Selma z Zamorza | Witaj!',
    ],
  ],
  [
    'no channel',
    '[9:05] Orrin: Dzień dobry\n[09:06] xX_cień_Xx: hej\n',
    'chat-no-channel',
    ['say | 09:05 | - | Orrin | Dzień dobry', 'say | 09:06 | - | xX_cień_Xx | hej'],
  ],
  [
    'no time',
    '[Lokalny] Orrin: Dzień dobry\n[Szept] Strażnik bramy: Stać!\n',
    'chat-no-time',
    ['say | - | Lokalny | Orrin | Dzień dobry', 'say | - | Szept | Strażnik bramy | Stać!'],
  ],
  [
    'neither',
    'Orrin: Dzień dobry\nSelma z Zamorza: Witaj\n',
    'plain',
    ['say | - | - | Orrin | Dzień dobry', 'say | - | - | Selma z Zamorza | Witaj'],
  ],
  [
    'a colon inside a sentence',
    'Orrin: Mam dwa warunki: złoto i ciszę.\nPotem powiedział: chodźmy stąd\nUwaga: spoiler\nBył tam stary dom, a w nim: nic\n',
    'plain',
    [
      'say | - | - | Orrin | Mam dwa warunki: złoto i ciszę.',
      'unread | - | - | - | Potem powiedział: chodźmy stąd',
      'unread | - | - | - | Uwaga: spoiler',
      'unread | - | - | - | Był tam stary dom, a w nim: nic',
    ],
  ],
  [
    'quoted times and addresses',
    '[20:00] Orrin: o [20:05] Selma: idziemy\n> [19:00] Selma: cytat\n[20:01] Orrin: spotkanie 21:00: rynek\nhttps://mapa.example/a: b\n',
    'chat-no-channel',
    [
      'say | 20:00 | - | Orrin | o [20:05] Selma: idziemy',
      'unread | - | - | - | > [19:00] Selma: cytat',
      'say | 20:01 | - | Orrin | spotkanie 21:00: rynek',
      'unread | - | - | - | https://mapa.example/a: b',
    ],
  ],
  [
    'twelve-hour clocks with a narrow space, and clocks that no clock shows',
    '[12:05\u202fAM] Orrin: północ\n[12:05 PM] Orrin: południe\n[1:05 p.m.] Orrin: po\n[13:05 PM] Orrin: nie\n[24:01] Orrin: nie\n[12:60] Orrin: nie\n',
    'chat-no-channel',
    [
      'say | 00:05 | - | Orrin | północ',
      'say | 12:05 | - | Orrin | południe',
      'say | 13:05 | - | Orrin | po',
      'unread | - | - | - | [13:05 PM] Orrin: nie',
      'unread | - | - | - | [24:01] Orrin: nie',
      'unread | - | - | - | [12:60] Orrin: nie',
    ],
  ],
  [
    'emotes and joins',
    '[20:00] [Lokalny] Selma z Zamorza: hej\n[20:01] [Lokalny] * Selma z Zamorza kiwa głową\n[20:02] [Lokalny] * Orrin siada\n[20:03] [Lokalny] Orrin: *wstaje*\n[20:04] [Lokalny] Orrin: /me wychodzi\n[20:05] [System] Orrin dołączył do gry\n[20:06] [Lokalny] *cisza*\n[20:07] [Lokalny] Orrin: *głośno* witam\n',
    'chat',
    [
      'say | 20:00 | Lokalny | Selma z Zamorza | hej',
      'act | 20:01 | Lokalny | Selma z Zamorza | kiwa głową',
      'act | 20:02 | Lokalny | Orrin | siada',
      'act | 20:03 | Lokalny | Orrin | wstaje',
      'act | 20:04 | Lokalny | Orrin | wychodzi',
      'note | 20:05 | System | - | Orrin dołączył do gry',
      'act | 20:06 | Lokalny | - | cisza',
      'say | 20:07 | Lokalny | Orrin | *głośno* witam',
    ],
  ],
  [
    'a log of mIRC',
    'Session Start: Mon Mar 06 20:00:00 2023\n[20:00] <@Orrin> \u000304,01witaj\u000f \u0002w karczmie\u0002\n[20:01] * Orrin siada\n[20:02] * Joins: Selma (~s@host)\n[20:03] -NickServ- podaj hasło\n[20:04] *** Selma is now known as Mora\nSession Close: Mon\n',
    'irc',
    [
      'note | - | - | - | Session Start: Mon Mar 06 20:00:00 2023',
      'say | 20:00 | - | Orrin | witaj w karczmie',
      'act | 20:01 | - | Orrin | siada',
      'note | 20:02 | - | - | * Joins: Selma (~s@host)',
      'note | 20:03 | - | - | -NickServ- podaj hasło',
      'note | 20:04 | - | - | *** Selma is now known as Mora',
      'note | - | - | - | Session Close: Mon',
    ],
  ],
  [
    'a log of irssi',
    '--- Log opened Mon Mar 06 20:00:00 2023\n20:00 <@Orrin> witaj\n20:01  * Orrin siada\n20:02 -!- Selma [~s@host] has joined #karczma\n',
    'irc',
    [
      'note | - | - | - | --- Log opened Mon Mar 06 20:00:00 2023',
      'say | 20:00 | - | Orrin | witaj',
      'act | 20:01 | - | Orrin | siada',
      'note | 20:02 | - | - | -!- Selma [~s@host] has joined #karczma',
    ],
  ],
  [
    'JSON lines',
    '{"time":"2023-01-01T20:00:05+01:00","channel":"Lokalny","speaker":"Orrin","text":"hej"}\n{"czas":"20:01","kto":"Selma","tekst":"*siada*","miejsce":"Karczma"}\n{"text":"noc","type":"note"}\n{"broken":\n',
    'json-lines',
    [
      'say | 20:00:05 | Lokalny | Orrin | hej',
      'act | 20:01 | - | Selma | siada',
      'note | - | - | - | noc',
      'unread | - | - | - | {"broken":',
    ],
  ],
  [
    'a speaker with an aside, and one who speaks to another',
    '[20:00] Orrin (szeptem): cicho\n[20:01] Orrin -> Selma: tajne\n[20:02] Orrin:bez odstępu\n[20:03] Orrin :D\n',
    'chat-no-channel',
    [
      'say | 20:00 | - | Orrin | (szeptem) cicho',
      'say | 20:01 | - | Orrin | tajne',
      'unread | - | - | - | [20:02] Orrin:bez odstępu',
      'unread | - | - | - | [20:03] Orrin :D',
    ],
  ],
  [
    'no format',
    'dawno temu\nza górami\n',
    'none',
    ['unread | - | - | - | dawno temu', 'unread | - | - | - | za górami'],
  ],
  ['nothing', '', 'none', []],
  ['white space', ' \n\n', 'none', ['unread | - | - | - | ']],
]

const rule = '='.repeat(62)
const exported = `${rule}\nGuild: Kronika\nChannel: Gra / karczma\n${rule}\n\n[12/25/2023 11:59\u202fPM] Orrin#1234\nDobry wieczór\n\n[12:00] to tylko cytat\n\n[12/26/2023 12:01 AM] Selma (pinned)\n_siada_\n\n{Attachments}\nhttps://cdn.example/a.png\n\n[12/26/2023 12:02 AM] Mora\nJoined the server.\n\n${rule}\nExported 3 message(s)\n${rule}\n`

const message = (id: number, stamp: string, content: string, more: object = {}) => ({
  id: `${id}`,
  type: 'Default',
  timestamp: stamp,
  content,
  author: { id: '1', name: 'orrin', nickname: 'Orrin', isBot: false },
  attachments: [],
  ...more,
})
const document = {
  guild: { id: '1', name: 'Kronika "messages": [' },
  channel: { id: '2', type: 'GuildTextChat', name: 'karczma' },
  dateRange: { after: null, before: null },
  messages: [
    message(1, '2023-12-25T23:59:10.5+01:00', 'Dobry "wieczór" }'),
    message(2, '2023-12-26T00:01:00+01:00', '=== Piwnica ==='),
    message(3, '2023-12-26T00:02:00+01:00', '', { attachments: [{ url: 'https://cdn.example/a.png' }] }),
    message(4, '2023-12-26T00:03:00+01:00', 'Joined the server.', { type: 'GuildMemberJoin' }),
  ],
  messageCount: 4,
}

describe('the parser of transcripts', () => {
  for (const [what, text, format, lines] of readings)
    it(`reads ${what}`, () => {
      const read = parse(text)
      deepEqual([read.format, read.lines.map(seen)], [format, lines])
      equal(read.unread, lines.filter(line => line.startsWith('unread')).length)
    })

  it('reads a text export of DiscordChatExporter', () => {
    const read = parse(exported)
    equal(read.format, 'discord-text')
    deepEqual(read.lines.map(seen), [
      'note | - | - | - | Guild: Kronika\nChannel: Gra / karczma',
      'say | 23:59 | karczma | Orrin | Dobry wieczór\n\n[12:00] to tylko cytat',
      'act | 00:01 | karczma | Selma | siada',
      'note | 00:02 | karczma | - | Mora: Joined the server.',
      'note | - | - | - | Exported 3 message(s)',
    ])
    deepEqual(
      read.lines.map(({ day }) => day),
      [0, 0, 1, 1, 1],
    )
  })

  for (const [how, text] of [
    ['pretty', JSON.stringify(document, null, 2)],
    ['on one line', JSON.stringify(document)],
  ] as const)
    it(`reads a JSON export of DiscordChatExporter, ${how}`, () => {
      const read = parse(text)
      equal(read.format, 'discord-json')
      deepEqual(read.lines.map(seen), [
        'say | 23:59:10 | karczma | Orrin | Dobry "wieczór" }',
        'place | 00:01:00 | karczma | - | Piwnica',
        'note | 00:02:00 | karczma | - | https://cdn.example/a.png',
        'note | 00:03:00 | karczma | - | Joined the server.',
      ])
      deepEqual(
        read.lines.map(({ day }) => day),
        [0, 1, 1, 1],
      )
    })

  it('keeps the messages of a JSON export before the place where it is torn', () => {
    const text = JSON.stringify(document)
    const { lines } = parse(text.slice(0, text.indexOf('https://cdn')))
    deepEqual(
      lines.map(({ kind }) => kind),
      ['say', 'place', 'unread'],
    )
  })

  it('begins a segment at each heading, and at each change of place that the lines state', () => {
    const { segments, lines } = parse(
      '[20:00] Orrin: przed\n=== Karczma pod Lwem ===\n[20:01] Orrin: w środku\n\n[20:02] === Rynek ===\n====\n',
    )
    deepEqual(segments, [
      { place: 'Karczma pod Lwem', first: 1, last: 2 },
      { place: 'Rynek', first: 3, last: 4 },
    ])
    deepEqual(
      lines.map(({ segment }) => segment),
      [null, 0, 0, 1, 1],
    )
    const stated = ['Karczma', 'Karczma', 'Rynek'].map(place =>
      JSON.stringify({ kto: 'Orrin', tekst: 'a', place }),
    )
    deepEqual(parse(stated.join('\n')).segments, [
      { place: 'Karczma', first: 0, last: 1 },
      { place: 'Rynek', first: 2, last: 2 },
    ])
  })

  it('counts midnights by the clock, but neither for a late line nor at the end of summer time', () => {
    const days = (...times: ReadonlyArray<string>) =>
      parse(times.map(time => `[${time}] Orrin: a\n`).join('')).lines.map(({ day }) => day)
    deepEqual(days('23:59', '00:01', '23:58', '00:02', '23:00', '01:00'), [0, 1, 0, 1, 1, 2])
    deepEqual(days('20:00:05', '20:00:03', '20:01'), [0, 0, 0])
    deepEqual(days('02:59', '02:00', '02:30'), [0, 0, 0])
    deepEqual(days('22:00', '15:00'), [0, 1])
    deepEqual(days('2023-01-01 22:00', '2023-01-04 21:00'), [0, 3])
  })

  it('finds rolls of dice as written', () => {
    const dice = (text: string) => parse(`[20:00] Orrin: ${text}\n`).lines[0]?.dice
    deepEqual(['rzuca 2k6+3 = 11', 'k20: 17!', '1d100 (5)', 'szczyt K2', 'ok3', 'bez', '3K6'].map(dice), [
      '2k6+3 = 11',
      'k20: 17',
      '1d100',
      null,
      null,
      null,
      '3K6',
    ])
  })

  it('puts each byte into one line, with blank lines in the one before', () => {
    const { lines } = parse('\n\ufeff[20:00] Orrin: żółć\r\n\r\n[20:01] Orrin: b\r[20:02] Orrin: c')
    deepEqual(
      lines.map(({ start, end }) => [start, end]),
      [
        [0, 31],
        [31, 48],
        [48, 64],
      ],
    )
    deepEqual(
      lines.map(({ text }) => text),
      ['żółć', 'b', 'c'],
    )
  })
})

describe('the sidecar of a transcript', () => {
  const read = parse('[20:00] [Lokalny] Orrin: rzut k20\n=== Rynek ===\ncoś "innego"\n')

  it('has a line of JSON for each segment and spoken line', () => {
    deepEqual(encodeTranscript(read).split('\n'), [
      '{',
      ` "parser": ${parserVersion},`,
      ' "name": "karczma",',
      ' "address": "https://logi.example/karczma",',
      ` "sha256": "${read.sha256}",`,
      ' "format": "chat",',
      ' "unread": 1,',
      ' "segments": [',
      '  {"place":"Rynek","first":1,"last":2}',
      ' ],',
      ' "lines": [',
      '  {"time":"20:00","day":0,"kind":"say","channel":"Lokalny","speaker":"Orrin","text":"rzut k20","dice":"k20","start":0,"end":34},',
      '  {"day":0,"kind":"place","segment":0,"text":"Rynek","start":34,"end":48},',
      '  {"day":0,"kind":"unread","segment":0,"text":"coś \\"innego\\"","start":48,"end":62}',
      ' ]',
      '}',
      '',
    ])
  })

  it('is read back as it was', () => {
    for (const one of [read, parse('')])
      deepEqual(decodeTranscript(encodeTranscript(one)), { _tag: 'Right', right: one })
  })

  it('is read with fields of another version, and is no sidecar without those that it needs', () => {
    const text = encodeTranscript(read)
    const newer = decodeTranscript(text.replace(/"parser": \d+,/, '"parser": 9, "mood": "dark",'))
    equal(isRight(newer) && newer.right.parser, 9)
    deepEqual(decodeTranscript(text.replace('"format"', '"shape"')), {
      _tag: 'Left',
      left: 'the field format',
    })
    for (const broken of ['', '[]', '{', 'null', text.slice(0, 200)])
      equal(decodeTranscript(broken)._tag, 'Left')
  })
})
