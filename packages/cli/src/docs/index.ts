export { type CommandPage, commandPages } from './pages.ts'
