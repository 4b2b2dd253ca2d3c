#include "base/atomic_file.h"

#include "tests/support/expect.h"
#include "tests/support/temporary_folder.h"

namespace tapehead {
namespace {

using testing::bytes_of;
using testing::TemporaryFolder;
using testing::write_bytes;

TEST(ReplaceFile, WritesTheWholeText) {
  const TemporaryFolder folder;
  const std::string text("a\0b\r\n", 5);
  replace_file(folder.path() / "f", "first, and longer");
  replace_file(folder.path() / "f", text);
  EXPECT_EQ(bytes_of(folder.path() / "f"), text);
}

TEST(ReplaceFile, KeepsTheOldFileWhenWritingFails) {
  const TemporaryFolder folder;
  const auto path = folder.path() / "f";
  replace_file(path, "old");
  const auto fail = [](const std::filesystem::path& temporary) {
    write_bytes(temporary, "half of the n");
    throw IoError("the disk is full");
  };
  testing::expect_error<IoError>([&] { replace_file(path, fail); }, "the disk is full");
  EXPECT_EQ(bytes_of(path), "old");
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder.path()), {}), 1);
}

// While the new content is written, the old is there for others.
TEST(ReplaceFile, TheOldFileIsThereUntilTheNewOneIsWhole) {
  const TemporaryFolder folder;
  const auto path = folder.path() / "f";
  replace_file(path, "old");
  replace_file(path, [&](const std::filesystem::path& temporary) {
    write_bytes(temporary, "new");
    EXPECT_EQ(bytes_of(path), "old");
  });
  EXPECT_EQ(bytes_of(path), "new");
}

TEST(ReplaceFile, NamesAMissingFolder) {
  testing::expect_error<IoError>([] { replace_file("no/such/folder/f", "text"); },
                                 "no/such/folder/f.tmp: cannot write: No such file");
}

}  // namespace
}  // namespace tapehead
