import { candidatesMax, capabilities, distanceMax } from '#protocol/atoms.js'
import { tokenLifetimeSecondsMax, tokenNameCharsMax } from '#protocol/sign-in.js'

/** Schemas, by name, of codecs whose structure does not show their rule: brands and hand-written ones. */
export const namedSchemas: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  Day: { type: 'string', format: 'date' },
  Month: { type: 'string', pattern: '^\\d{4}-(0[1-9]|1[0-2])$' },
  Instant: { type: 'string', format: 'date-time' },
  CommitId: { type: 'string', pattern: '^([0-9a-f]{40}|[0-9a-f]{64})$' },
  BlobId: { type: 'string', pattern: '^([0-9a-f]{40}|[0-9a-f]{64})$' },
  RepoPath: { type: 'string', description: 'A path inside the repository, relative, with forward slashes.' },
  CapabilityId: { type: 'string', enum: [...capabilities] },
  ChatId: { type: 'string', pattern: '^[0-9A-Za-z_.-]{1,64}$' },
  InteractionId: { type: 'string', pattern: '^[1-9][0-9]{0,19}$', description: 'Less than 2^64.' },
  EpochMs: { type: 'integer', minimum: 0, maximum: 2 ** 53 },
  DispatchVars: {
    type: 'object',
    additionalProperties: { type: 'string' },
    description: 'At most 64 KiB of names and values.',
  },
  GameId: { type: 'string', minLength: 1, maxLength: 64, description: 'An id of the game, on one line.' },
  Int: { type: 'integer' },
  TokenName: { type: 'string', minLength: 1, maxLength: tokenNameCharsMax },
  TokenLifetime: { type: 'integer', minimum: 1, maximum: tokenLifetimeSecondsMax, description: 'Seconds.' },
  AskedName: { type: 'string', pattern: '\\S' },
  DayOrInstant: { type: 'string', description: 'A day, or an ISO-8601 instant with its offset.' },
  CandidateCount: { type: 'integer', minimum: 1, maximum: candidatesMax },
  SpellingDistance: { type: 'integer', minimum: 0, maximum: distanceMax },
  TokenCapabilities: { type: 'array', items: { type: 'string' }, minItems: 1 },
}
