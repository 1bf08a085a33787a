export { emptyTable } from '../table.ts'
