export { compileValidator, type Validator } from './compile.ts'
