import { describePage } from './describe-page.js'

describePage('docs/howto/lore/find-names-and-texts.md')
