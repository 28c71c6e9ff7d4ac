import { usePageTitle } from '#web/lib/page-title.ts'
import { UserManagement } from './UserManagement.tsx'

export function UserManagementPage() {
  usePageTitle('User Management')
  return (
    <div className="flex flex-col gap-6">
      <h1 className="text-2xl">User Management</h1>
      <UserManagement />
    </div>
  )
}
