import { deepEqual, equal } from 'node:assert/strict'
import fc from 'fast-check'
import { describe, it } from 'mocha'
import { runsOf } from '#test/support/runs.js'
import { credentialPatterns, makeScrubber } from './scrub.js'

const scrub = makeScrubber(['a-token-of-the-host'])

describe('the scrubber', () => {
  for (const [text, clean] of [
    ['fetch https://user:pass@git.example/x.git failed', 'fetch https://[redacted]@git.example/x.git failed'],
    ['fetch https://glpat-123@git.example/x.git', 'fetch https://[redacted]@git.example/x.git'],
    ['fetch https://u:s3/Pw@git.example/x.git', 'fetch https://[redacted]@git.example/x.git'],
    ['fetch https://us er:s3@git.example/x.git', 'fetch https://[redacted]@git.example/x.git'],
    ['user:s3@git.example: Permission denied', '[redacted]@git.example: Permission denied'],
    [
      'https://dom.example:8443/@ola and git@git.example:x',
      'https://dom.example:8443/@ola and git@git.example:x',
    ],
    ['sess_abc.def-1 and fsess_xyz and apik_q', 'sess_[redacted] and fsess_[redacted] and apik_[redacted]'],
    ['named_00ff.AbC-1_x was told', 'named_[redacted] was told'],
    ['Authorization: Bearer abc.def', 'Authorization: Bearer [redacted]'],
    ['GET /v1/api/api-keys/claim/0a1b?x=1', 'GET /v1/api/api-keys/claim/[redacted]?x=1'],
    ['POST /webhooks/123/abc', 'POST /webhooks/[redacted]'],
    ['/x?api_key=abc&name=Orrin', '/x?api_key=[redacted]&name=Orrin'],
    ['-----BEGIN PRIVATE KEY-----\nMC4C+/=\n-----END PRIVATE KEY-----\n', '[redacted]'],
    ['{"key":"-----BEGIN PRIVATE KEY-----\\nMC4C\\n-----END PRIVATE KEY-----\\n"}', '{"key":"[redacted]"}'],
    [`{"x":"y","d":"${'A'.repeat(43)}"}`, '{"x":"y","d":"[redacted]"}'],
    [
      'behind a dash-apik_q, x_apik_q and APIK_Q',
      'behind a dash-apik_[redacted], x_apik_[redacted] and APIK_[redacted]',
    ],
    ['renamed_file and obsess_x stay', 'renamed_file and obsess_x stay'],
    ['/x%20apik_q and /x%20Bearer abc', '/x%20apik_[redacted] and /x%20Bearer [redacted]'],
    [
      String.raw`{"x":"\nsess_q \tBearer abc \u000bapik_q"}`,
      String.raw`{"x":"\nsess_[redacted] \tBearer [redacted] \u000bapik_[redacted]"}`,
    ],
    [
      String.raw`{"x":"\nuser:s3@git.example: \u000buser:s3@git.example: x"}`,
      String.raw`{"x":"\n[redacted]@git.example: \u000b[redacted]@git.example: x"}`,
    ],
    ['it is a-token-of-the-host', 'it is [redacted]'],
    ['2026-05-10, Most na Zamorzu: Brzoza', '2026-05-10, Most na Zamorzu: Brzoza'],
  ] as const)
    it(`makes "${clean}"`, () => equal(scrub(text), clean))

  it('takes out as much as the patterns do without their marks', () => {
    const whole = (text: string): string =>
      credentialPatterns.reduce((clean, [, pattern, instead]) => clean.replace(pattern, instead), text)
    const pieces = [
      ...[
        'https://',
        'a:b',
        '@',
        'git.example:',
        'sess_x',
        'apik_',
        'BEARER  ',
        'basic ',
        'abc',
        ' ',
        '"',
        '\\',
      ],
      ...[
        '-----BEGIN EC PRIVATE KEY-----',
        '"d":"',
        '\\"d\\": \\"',
        'A'.repeat(43),
        '/api-keys/claim/',
        '/webhooks/',
      ],
      ...['?', '&', 'my-token=', 'Secret=', '\n', '/'],
    ]
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...pieces), { maxLength: 12 }), parts => {
        const text = parts.join('')
        equal(makeScrubber([])(text), whole(text))
      }),
      { numRuns: runsOf(2_000) },
    )
  })

  it('leaves JSON to be JSON, and what has no secret as it is', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.string({ unit: 'grapheme' })), fc.nat(7), (fields, at) => {
        const secret =
          [
            'Bearer "x',
            '-----BEGIN PRIVATE KEY-----\n"',
            'https://a:b@c/"',
            'sess_"',
            '?token="',
            '\nu:p@h:',
            '\u000bu:p@h:',
            '\fsess_x',
          ][at] ?? ''
        const json = JSON.stringify({ ...fields, secret })
        deepEqual(
          Object.keys(JSON.parse(scrub(json)) as object).length,
          Object.keys(JSON.parse(json) as object).length,
        )
      }),
    )
  })
})
