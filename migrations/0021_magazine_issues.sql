CREATE TABLE "magazine_issues" (
	"id" uuid PRIMARY KEY NOT NULL,
	"uploaded_at" timestamp(3) with time zone NOT NULL
);
