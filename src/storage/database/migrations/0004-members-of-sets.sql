-- Once for each statement: a list of 10,000 members would touch its set 20,000 times.
drop trigger case_set_member_touch_set on case_set_member;
drop function assay_touch_set_of_member();

create function assay_touch_sets_of_members() returns trigger language plpgsql as $$
begin
  update case_set set updated_at = updated_at where id in (select case_set_id from changed);
  return null;
end $$;
create trigger case_set_member_insert after insert on case_set_member
  referencing new table as changed for each statement execute function assay_touch_sets_of_members();
create trigger case_set_member_update after update on case_set_member
  referencing new table as changed for each statement execute function assay_touch_sets_of_members();
create trigger case_set_member_delete after delete on case_set_member
  referencing old table as changed for each statement execute function assay_touch_sets_of_members();
