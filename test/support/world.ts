import { createHash } from 'node:crypto'
import { isLeft } from 'fp-ts/lib/Either.js'
import { BlobId, type Day, dayOf, RepoPath } from '#protocol/atoms.js'
import type { Config } from '#protocol/host/config.js'
import { readConfig } from '#src/domain/config/read-config.js'
import { type LanguageFiles, languageFileNames } from '#src/domain/language/language.js'
import { isRead, roleOf, type SourceFile } from '#src/domain/lore/layout.js'
import { archiveOf, type LogArchive, loreArchiveFolder } from '#src/domain/transcripts/archive.js'
import { buildSnapshot, type Inputs } from '#src/snapshot/build.js'
import { type ParsedFile, parseFile } from '#src/snapshot/parsed-file.js'
import type { Snapshot } from '#src/snapshot/snapshot.js'

const repoPath = (text: string): RepoPath => {
  const path = RepoPath.decode(text)
  if (isLeft(path)) throw new Error(`not a repository path: ${text}`)
  return path.right
}

const blobId = (text: string): BlobId => {
  const id = BlobId.decode(createHash('sha1').update(text).digest('hex'))
  if (isLeft(id)) throw new Error('not a blob id')
  return id.right
}

export const day = (text: string): Day => {
  const found = dayOf(text)
  if (found === null) throw new Error(`not a day: ${text}`)
  return found
}

/** A file of a test world. */
export const sourceFile = (path: string, text: string): SourceFile => ({
  path: repoPath(path),
  blob: blobId(text),
  text,
  undecodable: false,
})

export interface WorldOptions {
  readonly day?: string
  /** Files of the works tree by path; if absent, the host has no works tree. */
  readonly works?: Readonly<Record<string, string>>
  /** The files of `corpora.lang`; if absent, the lore has the language data. */
  readonly language?: Readonly<Record<string, string>>
  /** The moderator roster; if absent, the host has no moderator repository. */
  readonly moderators?: string
  /** The files of the sample store; if absent, the host reads no annotation tree. */
  readonly samples?: Readonly<Record<string, string>>
}

const configs = new Map<string | undefined, Config>()

/**
 * The configuration of a host that starts with this file; the same object for the same text, as on a host.
 */
export const hostConfig = (text: string | undefined): Config => {
  const known = configs.get(text)
  const { config } =
    known === undefined
      ? readConfig(text === undefined ? null : sourceFile('.svc/config.json', text))
      : { config: known }
  configs.set(text, config)
  return config
}

const languageOf = (texts: Readonly<Record<string, string>>): LanguageFiles => {
  const file = (name: string): SourceFile | null => {
    const text = texts[name]
    return text === undefined ? null : sourceFile(`corpora.lang/${name}`, text)
  }
  const { forms, titles, lemmas } = languageFileNames
  return { forms: file(forms), titles: file(titles), lemmas: file(lemmas) }
}

/** The texts of the archive of a test world, which a snapshot only lists. */
export const archiveTexts = ({ archive }: Pick<Snapshot, 'archive'>): ReadonlyMap<string, SourceFile> =>
  textsByArchive.get(archive) ?? new Map()

const textsByArchive = new WeakMap<LogArchive, ReadonlyMap<string, SourceFile>>()

const keepTexts = (archive: LogArchive, sources: ReadonlyArray<SourceFile>): LogArchive => {
  const texts = sources.filter(({ path }) => roleOf(path) === 'transcript')
  if (texts.length > 0) textsByArchive.set(archive, new Map(texts.map(file => [file.path, file])))
  return archive
}

const headsOf = (samples: WorldOptions['samples']): Inputs['treeHeads'] =>
  samples === undefined
    ? new Map()
    : new Map([
        ['adnotacje', { commit: null, id: createHash('sha1').update(JSON.stringify(samples)).digest('hex') }],
      ])

/** The inputs that the keeper would build from the files. A known file stays the identical object. */
export const inputsOf = (
  files: Readonly<Record<string, string>>,
  options: WorldOptions = {},
  before: Inputs | null = null,
): Inputs => {
  const sources = Object.keys(files)
    .sort()
    .map(path => sourceFile(path, files[path] ?? ''))
  const parsed = (file: SourceFile): ParsedFile => {
    const known = before?.lore.get(file.path)
    return known?.source.blob === file.blob ? known : parseFile(file)
  }
  const lore = new Map<string, ParsedFile>(
    sources.filter(({ path }) => isRead(roleOf(path))).map(file => [file.path, parsed(file)]),
  )
  const listed = sources.map(({ path, blob, text }) => ({ path, blob, bytes: Buffer.byteLength(text) }))
  const works = Object.entries(options.works ?? {}).map(([path, text]) => sourceFile(path, text))
  return {
    commit: null,
    id: createHash('sha1')
      .update(
        JSON.stringify([
          sources.map(({ path, blob }) => [path, blob]),
          options.works ?? null,
          options.language ?? null,
        ]),
      )
      .digest('hex'),
    treeHeads: headsOf(options.samples),
    ...(options.samples === undefined
      ? {}
      : { samples: Object.entries(options.samples).map(([path, text]) => sourceFile(path, text)) }),
    day: day(options.day ?? '2026-06-15'),
    config: hostConfig(files['.svc/config.json']),
    lore,
    works: { corpus: options.works === undefined ? null : { path: 'works', commit: null }, files: works },
    moderators:
      options.moderators === undefined ? null : sourceFile('corpora.mc/kontrybutorzy.md', options.moderators),
    language: options.language === undefined ? null : languageOf(options.language),
    leftOut: new Set(),
    archive: keepTexts(archiveOf(listed, loreArchiveFolder, before?.archive), sources),
    findings: [],
  }
}

/** A snapshot of the files, as the keeper would build it. */
export const worldOf = (files: Readonly<Record<string, string>>, options: WorldOptions = {}): Snapshot =>
  buildSnapshot(inputsOf(files, options), null).snapshot
