import { equal } from 'node:assert/strict'
import { createPublicKey } from 'node:crypto'
import { describe, it } from 'mocha'
import { keyPrint } from './credentials/key-documents.js'

/** The key of RFC 8037 A.2; the digits are those of openssl 3. */
const jwk = { kty: 'OKP', crv: 'Ed25519', x: '11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo' }

describe('the print of a public key', () => {
  it('is what openssl and sha256sum begin with', () =>
    equal(keyPrint(createPublicKey({ key: jwk, format: 'jwk' })), '06e3fd8fda29bb60'))
})
