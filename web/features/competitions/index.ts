export { CompetitionCard } from './CompetitionCard.tsx'
