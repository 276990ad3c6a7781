import { describePage } from './describe-page.js'

describePage('docs/guide/adoption.md')
