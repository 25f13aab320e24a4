-- Backup codes are kept as hashes from now on. Those of before were encrypted, and cannot be hashed here: they end. Whoever
-- has two-step login gets new ones by switching it off and on.
update two_factors set backup_codes = '[]' where backup_codes not like '[%';
