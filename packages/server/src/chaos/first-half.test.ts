import { chaosSuite } from './schedules.ts'

chaosSuite(1, 500)
