import { chaosSuite } from './schedules.ts'

chaosSuite(501, 500)
