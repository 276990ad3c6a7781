import { readFileSync } from 'node:fs'
import { type Either, isLeft, mapLeft } from 'fp-ts/lib/Either.js'
import { decodeFile } from '#actors/corpus-keeper/read-entries.js'
import { type BlobId, RepoPath } from '#protocol/atoms.js'
import { exitCodes } from '#protocol/exit-code.js'
import { pinnedAddresses } from '#protocol/host/addresses.js'
import { type AddressByKey, usableAddress } from '#src/domain/config/addresses.js'
import { type CommittedFault, readCommitted } from '#src/domain/identity/committed-json.js'
import { FleetKeysFile, fleetKeysPath } from '#src/domain/identity/credentials/fleet-keys.js'
import type { SourceFile } from '#src/domain/lore/layout.js'
import type { Stop } from '#src/node/start/checkout.js'
import { type Secret, secretOf } from '#src/ports/identity.js'

/** The published file of a commit as a source file. */
export const keysSource = ({
  blob,
  bytes,
}: {
  readonly blob: BlobId
  readonly bytes: Buffer
}): SourceFile => {
  const path = RepoPath.decode(fleetKeysPath)
  if (isLeft(path)) throw new Error(`${fleetKeysPath} is no path`)
  return decodeFile({ path: path.right, blob, bytes: bytes.length }, bytes)
}

/** The published keys of a file. Left: which field is wrong and what to do. */
export const parseStoredKeys = (file: SourceFile): Either<Stop, FleetKeysFile> =>
  mapLeft(
    (fault: CommittedFault): Stop => ({
      code: exitCodes.findings,
      reason:
        `${fleetKeysPath} of HEAD cannot be read: ${whyOf(fault)}. Fix it, or restore an earlier version ` +
        `(git log ${fleetKeysPath} lists them), and commit it.`,
    }),
  )(readCommitted(file, FleetKeysFile))

/** The credentials that this host was given; null where one is absent. */
export interface Secrets {
  readonly chatBotToken: Secret | null
  /** The token of the project on the forge, which takeovers and publishing by merge request use. */
  readonly forgeToken: Secret | null
}

/** A credential or its address that was given and is unusable; `reason` never shows it. */
export interface SecretFinding {
  readonly variable: string
  readonly reason: string
}

/** What the environment of a host gives it. */
export interface Given {
  readonly secrets: Secrets
  readonly addresses: AddressByKey
  readonly findings: ReadonlyArray<SecretFinding>
}

/**
 * Reads the credentials from the environment, each from its variable or from the file that `…_FILE` names
 * (LAYOUT), with the addresses that they are for (docs/spec/security.md#addresses).
 */
export const readSecrets = (environment: NodeJS.ProcessEnv): Given => {
  const bot = readVariable(environment, variables.chatBotToken)
  const forge = readVariable(environment, variables.forgeToken)
  const { given, findings } = readAddresses(environment, {
    [variables.chatBotToken]: bot.address,
    [variables.forgeToken]: forge.address,
  })
  return {
    secrets: { chatBotToken: bot.secret, forgeToken: forge.secret },
    addresses: given,
    findings: [...[bot, forge].flatMap(({ finding }) => (finding === null ? [] : [finding])), ...findings],
  }
}

/** The values of the credentials, for the scrubber. */
export const valuesOf = ({ chatBotToken, forgeToken }: Secrets): ReadonlyArray<string> =>
  [chatBotToken, forgeToken].flatMap(secret => (secret === null ? [] : [secret.reveal()]))

const form =
  '{"epoch": 1, "keys": [{"kid": …, "town": …, "alg": "EdDSA", ' +
  '"jwk": {"kty": "OKP", "crv": "Ed25519", "x": …}, "notAfter": an instant or null}]}'

const whyOf = (fault: CommittedFault): string => {
  switch (fault._tag) {
    case 'Unread':
      return 'git cannot read its bytes'
    case 'TooLong':
      return `it has more than ${fault.charsMax} characters`
    case 'NoJson':
      return `it is no JSON at ${fault.path}: ${fault.reason}`
    case 'OtherForm':
      return `the field ${fault.path} is not as in ${form}`
  }
}

const variables = {
  chatBotToken: 'SVC_CHAT_BOT_TOKEN',
  forgeToken: 'SVC_FORGE_TOKEN',
} as const satisfies Record<keyof Secrets, string>

/** What a header can contain: printable ASCII without blanks. */
const sendable = /^[\x21-\x7e]{1,4096}$/

const codeOf = (error: unknown): string =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : 'it failed'

/** The lines of the file of a credential: itself and, where there is a second one, the address that it is for. */
const fileLines = (path: string): { readonly lines: ReadonlyArray<string> } | { readonly failed: string } => {
  try {
    return { lines: readFileSync(path, 'utf8').trimEnd().split(/\r?\n/) }
  } catch (error) {
    return { failed: codeOf(error) }
  }
}

interface ReadVariable {
  readonly secret: Secret | null
  /** The address in the second line of its file; null without one. */
  readonly address: string | null
  readonly finding: SecretFinding | null
}

const without = (variable: string, reason: string, address: string | null = null): ReadVariable => ({
  secret: null,
  address,
  finding: { variable, reason },
})

const readVariable = (environment: NodeJS.ProcessEnv, variable: string): ReadVariable => {
  const [direct, path] = [environment[variable] ?? '', environment[`${variable}_FILE`] ?? '']
  if (direct === '' && path === '') return { secret: null, address: null, finding: null }
  if (direct !== '' && path !== '')
    return without(variable, `both it and ${variable}_FILE are set; unset one of them`)
  const read = direct === '' ? fileLines(path) : { lines: [direct] }
  if ('failed' in read) return without(`${variable}_FILE`, `the file cannot be read: ${read.failed}`)
  const [text = '', address = null, ...more] = read.lines
  if (more.length > 0)
    return without(`${variable}_FILE`, 'the file has more lines than the credential and its address', '')
  return sendable.test(text)
    ? { secret: secretOf(text), address, finding: null }
    : without(variable, 'it is empty, too long, or has a blank or a letter outside ASCII', address)
}

/**
 * The addresses that the operator gave: each from its variable or from the second line of the file of its credential.
 * One that is unusable is empty, so that the host calls nothing rather than the committed address.
 */
const readAddresses = (
  environment: NodeJS.ProcessEnv,
  lines: Readonly<Record<string, string | null>>,
): { readonly given: AddressByKey; readonly findings: ReadonlyArray<SecretFinding> } => {
  const given: Partial<Record<keyof AddressByKey, string>> = {}
  const findings: Array<SecretFinding> = []
  for (const row of pinnedAddresses) {
    const [direct, line] = [environment[row.variable ?? ''] ?? '', lines[row.secret ?? ''] ?? null]
    const texts = [...(direct === '' ? [] : [direct]), ...(line === null ? [] : [line])]
    const usable = new Set(texts.map(text => (sendable.test(text) ? usableAddress(row, text) : null)))
    const [address = null] = usable
    if (texts.length === 0) continue
    given[row.key] = usable.size === 1 && address !== null ? address : ''
    if (given[row.key] !== '') continue
    const variable = line === null || direct !== '' ? (row.variable ?? row.key) : `${row.secret ?? ''}_FILE`
    const reason =
      usable.size > 1
        ? `it and the second line of the file of ${row.secret ?? ''} differ; remove one of them`
        : `its address cannot be used: ${addressWords[row.form]}`
    findings.push({ variable, reason })
  }
  return { given, findings }
}

const addressWords = {
  gitlab: 'it is an https address, or http of this machine, that ends in /api/v4',
  base: 'it is an https address, or http of this machine, without user and query',
  url: 'it is an https address, or http of this machine',
  text: 'it is a text',
} as const
