import { randomBytes } from 'node:crypto'
import { homedir } from 'node:os'
import { join, resolve } from 'node:path'
import { isLeft } from 'fp-ts/lib/Either.js'
import { BlobId } from '#protocol/atoms.js'
import { type GitOptions, git } from '#src/adapters/git/git-command.js'
import type { GitFolder } from '../failure.js'
import { findEntry, type GitIndex, hasEntry, statAt } from '../index-file.js'
import { isAsStaged } from '../index-stat.js'
import { blobObject } from '../objects/object-writer.js'
import type { Lying } from './work-tree.js'

/** A regular file of the work tree that differs from the blobs that the commit may have at its path. */
export interface DifferingFile {
  readonly path: string
  readonly lying: Extract<Lying, { readonly _tag: 'File' }>
  readonly blobs: ReadonlyArray<BlobId>
}

/** The file as one to compare by git's conversion; none where its bytes are a blob of it, or it is no regular file. */
export const differingFile = <F extends Omit<DifferingFile, 'lying'> & { readonly lying: Lying }>(
  file: F,
): ReadonlyArray<DifferingFile & F> => {
  const { lying, blobs } = file
  return lying._tag !== 'File' || lying.isLink || blobs.length === 0 || blobs.includes(lying.blob)
    ? []
    : [{ ...file, lying }]
}

/** A path with a filter whose command git would run. */
export interface FilteredPath {
  readonly path: string
  readonly filter: string
}

/**
 * How git converts files between blob and work tree in one checkout: line ends, `ident`, `working-tree-encoding`. It
 * never runs the command of a filter.
 */
export interface Conversions {
  /**
   * The blobs that each of these files counts as by git's rules: by its stat data in the index, by the blob that git
   * would make of the file, or because git would write the file so. A file that git cannot convert counts as none.
   */
  readonly alike: (
    folder: GitFolder,
    index: GitIndex,
    files: ReadonlyArray<DifferingFile>,
  ) => Promise<ReadonlyMap<string, ReadonlySet<BlobId>>>
  /** Those of the paths that git may convert. */
  readonly converting: (
    folder: GitFolder,
    index: GitIndex,
    paths: ReadonlyArray<string>,
  ) => Promise<ReadonlySet<string>>
  /** The bytes that git would write at each path for the blob, which must be in the object store. */
  readonly bytesFor: (
    files: ReadonlyArray<{ readonly path: string; readonly id: BlobId }>,
  ) => Promise<ReadonlyMap<string, Buffer>>
  /** Whether the configuration has a filter that runs a command. */
  readonly hasFilters: () => Promise<boolean>
  /** Those of the paths with a filter that runs a command, in order. */
  readonly filtered: (
    folder: GitFolder,
    index: GitIndex,
    paths: ReadonlyArray<string>,
  ) => Promise<ReadonlyArray<FilteredPath>>
}

/** Opens the conversions of a checkout; asks git nothing yet. */
export const openConversions = (repo: string): Conversions => {
  const settingsNow = openSettings(repo)
  const optionsFor = (settings: Settings): GitOptions => ({ cwd: repo, env: withoutCommands(settings) })
  const converting: Conversions['converting'] = async (folder, index, paths) => {
    const settings = await settingsNow()
    const hasAttributes = attributesLookup(repo, folder, index, settings)
    return new Set(paths.filter(path => settings.converts || hasAttributes(path)))
  }
  const filtered: Conversions['filtered'] = async (folder, index, paths) => {
    const { filters, ...settings } = await settingsNow()
    const hasAttributes = attributesLookup(repo, folder, index, { filters, ...settings })
    const asked = filters.size === 0 ? [] : paths.filter(hasAttributes)
    if (asked.length === 0) return noFilters
    const input = asked.map(path => `${path}\0`).join('')
    const told = await git(['check-attr', '-z', '--stdin', 'filter'], { cwd: repo, input })
    if (told.code !== 0) throw new Error(`git could not read the attributes: ${told.stderr.trim()}`)
    const words = told.stdout.toString('utf8').split('\0')
    return asked.flatMap((path, at) => {
      const filter = words[3 * at + 2] ?? ''
      return filters.has(filter) ? [{ path, filter }] : []
    })
  }
  return {
    converting,
    filtered,
    hasFilters: async () => (await settingsNow()).filters.size > 0,
    bytesFor: async files =>
      files.length === 0 ? new Map<string, Buffer>() : smudge(optionsFor(await settingsNow()), files),
    alike: async (folder, index, files) => {
      const proved = provedBlobs(repo, folder, index, files)
      const open = files.filter(({ path }) => proved.get(path)?.size === 0)
      const paths = await converting(
        folder,
        index,
        open.map(({ path }) => path),
      )
      const commands = new Set((await filtered(folder, index, [...paths])).map(({ path }) => path))
      const convertible = open.filter(({ path }) => paths.has(path) && !commands.has(path))
      if (convertible.length === 0) return proved
      return new Map([...proved, ...(await convertedBlobs(optionsFor(await settingsNow()), convertible))])
    },
  }
}

/** What the configuration says of conversions. */
interface Settings {
  readonly converts: boolean
  readonly attributesFile: string | null
  /** The filters that have a command. */
  readonly filters: ReadonlySet<string>
}

const attributes = '.gitattributes'
const no = new Set(['false', 'no', 'off', '0', ''])
const filterKey = /^filter\.(.+)\.(?:clean|smudge|process)$/su
const userFiles = ['.gitconfig', '.config/git/config']

const stampOf = (path: string): string => {
  const found = statAt(path)
  return found === null ? 'absent' : `${found.ino}:${found.size}:${found.mtimeNs}:${found.ctimeNs}`
}

/** Reads `git config --list -z --show-origin`: the settings, and the files that they are from. */
const parseSettings = (
  repo: string,
  printed: string,
): { settings: Settings; files: ReadonlyArray<string> } => {
  const words = printed.split('\0')
  const values = new Map<string, string>()
  const files = new Set([...userFiles.map(file => join(homedir(), file)), join(repo, '.git/config')])
  for (let at = 0; at + 1 < words.length; at += 2) {
    const [origin = '', said = ''] = words.slice(at, at + 2)
    const end = said.indexOf('\n')
    values.set(end < 0 ? said : said.slice(0, end), end < 0 ? 'true' : said.slice(end + 1))
    if (origin.startsWith('file:')) files.add(resolve(repo, origin.slice('file:'.length)))
  }
  const filters = [...values].flatMap(([key, value]) => {
    const name = filterKey.exec(key)?.[1]
    return name === undefined || value === '' ? [] : [name]
  })
  const attributesFile = values.get('core.attributesfile') ?? null
  return {
    settings: {
      converts: !no.has((values.get('core.autocrlf') ?? 'false').toLowerCase()),
      attributesFile: attributesFile?.replace(/^~\//u, `${homedir()}/`) ?? null,
      filters: new Set(filters),
    },
    files: [...files],
  }
}

/** Reads the settings again when one of the files that they are from has changed. */
const openSettings = (repo: string): (() => Promise<Settings>) => {
  let known: {
    readonly stamp: string
    readonly files: ReadonlyArray<string>
    readonly settings: Settings
  } | null = null
  const stampAll = (files: ReadonlyArray<string>): string => files.map(stampOf).join(' ')
  return async () => {
    if (known !== null && known.stamp === stampAll(known.files)) return known.settings
    const listed = await git(['config', '--list', '-z', '--show-origin'], { cwd: repo })
    const { settings, files } = parseSettings(repo, listed.stdout.toString('utf8'))
    known = { settings, files, stamp: stampAll(files) }
    return settings
  }
}

/** Variables with which git takes every filter for one without a command. */
const withoutCommands = ({ filters }: Settings): Readonly<Record<string, string>> => {
  const rows = [...filters].flatMap(name =>
    ['clean', 'smudge', 'process', 'required'].map(
      key => [`filter.${name}.${key}`, key === 'required' ? 'false' : ''] as const,
    ),
  )
  const variables = rows.flatMap(
    ([key, value], at): ReadonlyArray<readonly [string, string]> => [
      [`GIT_CONFIG_KEY_${at}`, key],
      [`GIT_CONFIG_VALUE_${at}`, value],
    ],
  )
  return Object.fromEntries<string>([['GIT_CONFIG_COUNT', String(rows.length)], ...variables])
}

const foldersOf = (path: string): ReadonlyArray<string> => {
  const parts = path.split('/').slice(0, -1)
  return ['', ...parts.map((_, at) => `${parts.slice(0, at + 1).join('/')}/`)]
}

/** Returns whether attributes may apply to a path: of the machine, of the clone, or of a folder above it. */
const attributesLookup = (
  repo: string,
  { info }: GitFolder,
  index: GitIndex,
  { attributesFile }: Settings,
) => {
  const everywhere = [
    '/etc/gitattributes',
    attributesFile ?? join(homedir(), '.config/git/attributes'),
    info,
  ].some(file => statAt(file) !== null)
  const known = new Map<string, boolean>()
  return (path: string): boolean =>
    everywhere ||
    foldersOf(path).some(folder => {
      const has =
        known.get(folder) ??
        (hasEntry(index, folder + attributes) || statAt(join(repo, folder, attributes)) !== null)
      known.set(folder, has)
      return has
    })
}

/** A path as `git hash-object --stdin-paths` reads it. */
const quotePath = (path: string): string => (path.startsWith('"') ? JSON.stringify(path) : path)

/** The blobs that git would make of these files; one that it cannot convert has none. */
const cleanIds = async (
  options: GitOptions,
  paths: ReadonlyArray<string>,
): Promise<ReadonlyMap<string, BlobId>> => {
  const input = paths.map(path => `${quotePath(path)}\n`).join('')
  const hashed = await git(['hash-object', '--stdin-paths'], { ...options, input })
  if (hashed.code !== 0 && paths.length > 1) {
    const halves = [paths.slice(0, paths.length >> 1), paths.slice(paths.length >> 1)]
    const found = await Promise.all(halves.map(half => cleanIds(options, half)))
    return new Map(found.flatMap(one => [...one]))
  }
  const ids = hashed.code === 0 ? hashed.stdout.toString('latin1').trim().split('\n') : []
  return new Map(
    paths.flatMap((path, at) => {
      const id = BlobId.decode(ids[at])
      return isLeft(id) ? [] : [[path, id.right] as const]
    }),
  )
}

/**
 * The files as git would write them. `cat-file` prints the size before the conversion, so the end of each answer is
 * found by the answer to the next question, which asks for a random object id that does not exist.
 */
const smudge = async (
  options: GitOptions,
  files: ReadonlyArray<{ readonly path: string; readonly id: BlobId }>,
): Promise<ReadonlyMap<string, Buffer>> => {
  const end = randomBytes(20).toString('hex')
  const input = files.map(({ path, id }) => `${id} ${path}\n${end}\n`).join('')
  const { stdout } = await git(['cat-file', '--batch', '--filters'], { ...options, input })
  const mark = Buffer.from(`\n${end} missing\n`)
  const found = new Map<string, Buffer>()
  let at = 0
  for (const { path, id } of files) {
    const [from, to] = [stdout.indexOf('\n', at) + 1, stdout.indexOf(mark, at)]
    if (to < from || !stdout.toString('latin1', at, from).startsWith(`${id} blob `))
      throw new Error(`git could not write the blob ${id} as ${path}`)
    found.set(path, Buffer.from(stdout.subarray(from, to)))
    at = to + mark.length
  }
  return found
}

type BlobsByPath = ReadonlyMap<string, ReadonlySet<BlobId>>

/** The blobs of which the stat data in the index proves that git staged the file as one. */
const provedBlobs = (
  repo: string,
  folder: GitFolder,
  index: GitIndex,
  files: ReadonlyArray<DifferingFile>,
): BlobsByPath => {
  const indexMtimeNs = statAt(folder.index)?.mtimeNs ?? 0n
  const isProved = (path: string, blob: BlobId): boolean => {
    const [entry, stat] = [findEntry(index, path, blob), statAt(join(repo, path))]
    return entry !== null && stat !== null && isAsStaged(entry, stat, indexMtimeNs)
  }
  return new Map(files.map(({ path, blobs }) => [path, new Set(blobs.filter(blob => isProved(path, blob)))]))
}

/** The blob that git would make of each file, and those of its blobs that git would write so. */
const convertedBlobs = async (
  options: GitOptions,
  files: ReadonlyArray<DifferingFile>,
): Promise<BlobsByPath> => {
  const cleaned = await cleanIds(
    options,
    files.map(({ path }) => path),
  )
  const found = new Map<string, Set<BlobId>>()
  for (const { path, lying, blobs } of files) {
    const clean = cleaned.get(path)
    const as = new Set(clean === undefined ? [] : [clean])
    for (const id of blobs.filter(one => one !== clean)) {
      const bytes = (await smudge(options, [{ path, id }])).get(path)
      if (bytes !== undefined && blobObject(bytes).id === lying.blob) as.add(id)
    }
    found.set(path, as)
  }
  return found
}

const noFilters: ReadonlyArray<FilteredPath> = []
