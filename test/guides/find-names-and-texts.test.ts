import { describePage } from './describe-page.js'

describePage('docs/howto/find-names-and-texts.md')
