import type { Descriptions } from '../description.js'

const updated = { tag: 'Tag of the request, without the at sign.' } as const
const created = { type: 'Type of the new block.' } as const
const deleted = { status: 'Status of the block from now on, always `Usunięty`.' } as const

const renamed = {
  from: 'Heading before the rename.',
  retargeted: 'Rows that now name the new heading.',
  reported: 'Lines that still have the old name and were left as they are.',
} as const

const unresolved = 'Names in the request that may mean several blocks or none; absent when there are none.'

export const entityWriteDescriptions: Descriptions = {
  TagPatch: {
    tag: 'Tag to write, with or without the at sign.',
    value: 'New value; with `remove` the value that ends.',
    from: 'First day: `YYYY`, `YYYY-MM` or `YYYY-MM-DD`; null since ever, absent from today.',
    to: 'Last day in the same forms; null or absent for an open end.',
    remove: 'True ends the value instead of writing one.',
  },
  Updated: { updated: 'Heading of the block that was written.', ...updated, unresolved },
  UpdatePreview: { wouldUpdate: 'Heading of the block that would be written.', ...updated, unresolved },
  NameUse: {
    name: 'Name that the write gives.',
    use: 'Where the name is already used: as a block, owner, narrator, effect, PU award or file.',
    count: 'Number of all uses, listed or not.',
    blocks: 'Blocks with that use, 20 at most.',
  },
  'NameUse.blocks': { name: 'Heading of the block.', type: 'Type of the block.' },
  EntityCreate: {
    name: 'Heading of the new block.',
    type: 'Type of the new block; people (Gracz) are not made here.',
    tags: 'Values by tag without the at sign; a list for a tag with several values.',
  },
  Created: { created: 'Heading of the new block.', ...created, unresolved },
  CreatePreview: { wouldCreate: 'Heading that the new block would have.', ...created, unresolved },
  Deleted: { deleted: 'Heading of the block that was deleted.', ...deleted },
  DeletePreview: { wouldDelete: 'Heading of the block that would be deleted.', ...deleted },
  EntityRename: { name: 'New heading; the old one becomes an alias.' },
  Reference: {
    file: 'Path of the file.',
    tag: 'Tag of the rows, without the at sign; null for text that is no row.',
    lines: 'Lines that have the name, counted from 1.',
  },
  Renamed: { renamed: 'New heading of the block.', ...renamed, unresolved },
  RenamePreview: { wouldRename: 'Heading that the block would get.', ...renamed, unresolved },
}
