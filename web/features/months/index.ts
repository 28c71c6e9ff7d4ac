export { monthOf } from './month.ts'
export { MonthGrid } from './MonthGrid.tsx'
