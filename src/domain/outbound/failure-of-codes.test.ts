import { equal } from 'node:assert/strict'
import { describe, it } from 'mocha'
import type { OutboundFailure } from '#protocol/host/outbound.js'
import { failureOfCodes } from './outbound.js'

describe('the failure of a connection', () => {
  const rows: ReadonlyArray<readonly [codes: ReadonlyArray<string>, failure: OutboundFailure]> = [
    [['EAI_AGAIN'], 'not_sent'],
    [['EMFILE'], 'not_sent'],
    [['ENETUNREACH', 'ENETUNREACH'], 'not_sent'],
    [['ENETUNREACH', 'ECONNREFUSED'], 'refused'],
    [['ENETUNREACH', 'ETIMEDOUT'], 'timeout'],
    [['ECONNREFUSED'], 'refused'],
    [['CERT_HAS_EXPIRED'], 'tls'],
    [['DEPTH_ZERO_SELF_SIGNED_CERT'], 'tls'],
    [['ERR_TLS_CERT_ALTNAME_INVALID'], 'tls'],
    [['EPROTO'], 'tls'],
    [['ETIMEDOUT'], 'timeout'],
    [['ENOTFOUND'], 'unreachable'],
    [['ECONNRESET'], 'unreachable'],
    [['HPE_INVALID_CONSTANT'], 'malformed'],
    [['CERTAINLY'], 'unreachable'],
    [[], 'unreachable'],
  ]
  for (const [codes, failure] of rows)
    it(`is named by the codes of its attempts: ${codes.join(' and ') || 'none'} is ${failure}`, () =>
      equal(failureOfCodes(codes), failure))
})
