import { describePage } from './describe-page.js'

describePage('docs/guide/new-community.md')
