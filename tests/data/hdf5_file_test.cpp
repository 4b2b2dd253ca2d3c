#include "data/hdf5_file.h"

#include <fstream>
#include <limits>

#include "tests/support/expect.h"
#include "tests/support/temp_dir.h"

namespace tapehead {
namespace {

using ::testing::ElementsAre;
using testing::expect_error;
using ::testing::IsEmpty;
using testing::TempDir;

Hdf5File fixture() {
  return Hdf5File::open(std::filesystem::path(TAPEHEAD_TESTS_DIR) / "data/fixtures/h5py.h5");
}

template <typename T>
std::vector<T> copied(const Hdf5File& file, std::string_view name) {
  return file.read<T>(name).values;
}

TEST(Hdf5File, ReadsAttributesThatH5pyWrote) {
  const auto file = fixture();
  EXPECT_EQ(file.attribute_as<std::string>("", "text"), "größe");
  EXPECT_EQ(file.attribute_as<std::string>("/", "ascii_text"), "plain");
  EXPECT_EQ(file.attribute_as<Index>("", "integer"), 20240607);
  EXPECT_EQ(file.attribute_as<Index>("", "small"), -5);
  EXPECT_EQ(file.attribute_as<double>("", "small"), -5.0);
  EXPECT_EQ(file.attribute_as<double>("", "real"), 0.1);
  EXPECT_EQ(file.attribute_as<double>("", "real32"), 0.5);
  EXPECT_TRUE(file.attribute_as<bool>("", "yes"));
  EXPECT_THAT(file.attribute_as<std::vector<Index>>("", "integers"), ElementsAre(1, 2, 3));
  EXPECT_THAT(file.attribute_as<std::vector<double>>("", "integers"), ElementsAre(1, 2, 3));
  EXPECT_THAT(file.attribute_as<std::vector<double>>("", "reals"), ElementsAre(0.5, 0.25));
  EXPECT_THAT(file.attribute_as<std::vector<std::string>>("", "texts"), ElementsAre("a", "bc"));
  EXPECT_TRUE(std::holds_alternative<double>(file.attribute("", "real")));
  EXPECT_TRUE(std::holds_alternative<bool>(file.attribute("", "yes")));
  EXPECT_EQ(file.attribute_names("").size(), 14);
  EXPECT_EQ(file.attribute_names("").front(), "ascii_text");
}

TEST(Hdf5File, ReadsDatasetsThatH5pyWrote) {
  const auto file = fixture();
  EXPECT_THAT(copied<float>(file, "deep/er/float16"), ElementsAre(1.5F, -2.0F));
  EXPECT_THAT(file.read<std::int32_t>("deep/er/big_endian").shape, ElementsAre(2, 2));
  EXPECT_THAT(copied<std::int64_t>(file, "deep/er/big_endian"), ElementsAre(1, 2, 3, -4));
  EXPECT_THAT(copied<double>(file, "/deep/er/big_endian"), ElementsAre(1, 2, 3, -4));
  EXPECT_THAT(copied<std::uint8_t>(file, "deep/er/bools"), ElementsAre(1, 0));
  EXPECT_THAT(file.read<float>("deep/er/scalar").shape, IsEmpty());
  EXPECT_THAT(copied<float>(file, "deep/er/scalar"), ElementsAre(2.5F));
  EXPECT_THAT(file.read<double>("deep/er/packed").shape, ElementsAre(3, 4));
  EXPECT_THAT(copied<std::int32_t>(file, "deep/er/packed"),
              ElementsAre(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11));
  EXPECT_THAT(file.read<double>("deep/er/nothing").shape, ElementsAre(0, 3));
  EXPECT_EQ(file.read_string("deep/er/text"), "line\nß");
  EXPECT_THAT(file.read_strings("deep/er/texts"), ElementsAre("x", "", "zz"));
  EXPECT_THAT(file.read_strings("deep/er/fixed_texts"), ElementsAre("ab", "c"));
}

TEST(Hdf5File, TellsWhatIsThere) {
  const auto file = fixture();
  EXPECT_THAT(file.names("/"), ElementsAre("deep"));
  EXPECT_EQ(file.names("deep/er").front(), "big_endian");
  EXPECT_TRUE(file.exists("deep/er/text"));
  EXPECT_FALSE(file.exists("deep/other/text"));
  EXPECT_FALSE(file.exists("deep/er/text/below"));
  EXPECT_TRUE(file.is_group("deep/er"));
  EXPECT_FALSE(file.is_group("deep/er/text"));
  EXPECT_TRUE(file.is_dataset("deep/er/text"));
  EXPECT_FALSE(file.is_dataset("nowhere"));
  const auto packed = file.info("deep/er/packed");
  EXPECT_EQ(packed.kind, Hdf5Kind::kFloat);
  EXPECT_EQ(packed.type_name, "float64");
  EXPECT_EQ(packed.element_bytes, 8);
  EXPECT_TRUE(packed.checksummed);
  EXPECT_FALSE(file.info("deep/er/scalar").checksummed);
  EXPECT_EQ(file.info("deep/er/uint64").type_name, "uint64");
}

TEST(Hdf5File, RefusesWhatDoesNotFit) {
  const auto file = fixture();
  const auto read = [&]<typename T>(const char* name, T) {
    return [&file, name] { static_cast<void>(file.read<T>(name)); };
  };
  expect_error<IoError>(read("deep/er/int64", std::int32_t{}),
                        "h5py.h5: cannot read dataset 'deep/er/int64': the value at \\(1\\) is "
                        "2147483648; expected a whole number from -2147483648 to 2147483647");
  expect_error<IoError>(read("deep/er/uint64", std::int64_t{}),
                        "is 18446744073709551615; expected");
  expect_error<IoError>(read("deep/er/big_endian", std::uint8_t{}),
                        "at \\(1, 1\\) is -4; expected a whole number from 0 to 255");
  expect_error<IoError>(read("deep/er/scalar", std::int32_t{}),
                        "at \\(\\) is 2.5; expected a whole");
  expect_error<IoError>(read("deep/er/text", float{}), "it holds string; expected numbers");
  expect_error<IoError>(read("deep/er", float{}), "it is a group; expected a dataset");
  expect_error<IoError>(read("deep/none", float{}), "'deep/none': there is no such dataset");
  expect_error<IoError>([&] { static_cast<void>(file.read_strings("deep/er/int64")); },
                        "it holds int64; expected strings");
  expect_error<IoError>([&] { static_cast<void>(file.read_string("deep/er/texts")); },
                        "its shape is \\(3\\); expected one string");
  expect_error<IoError>([&] { static_cast<void>(file.names("deep/er/text")); },
                        "cannot list group 'deep/er/text': it is a dataset");
}

TEST(Hdf5File, RefusesAttributesThatDoNotFit) {
  const auto file = fixture();
  const auto read = [&](const char* name) {
    return [&file, name] { static_cast<void>(file.attribute("", name)); };
  };
  expect_error<IoError>(read("none"), "cannot read attribute '@none': there is no such attribute");
  expect_error<IoError>(read("too_large"), "is 18446744073709551615; expected");
  expect_error<IoError>(read("empty"), "'@empty': it holds no value");
  expect_error<IoError>(read("matrix"), "its shape is \\(2, 2\\); expected a scalar or a list");
  expect_error<IoError>(read("complex"), "it holds a compound or other special type");
  expect_error<IoError>([&] { static_cast<void>(file.attribute("nowhere", "x")); },
                        "attributes of 'nowhere': there is no such group or dataset");
  expect_error<IoError>([&] { static_cast<void>(file.attribute_as<Index>("", "real")); },
                        "'@real': it is a number; expected an integer");
  expect_error<IoError>([&] { static_cast<void>(file.attribute_as<bool>("", "small")); },
                        "it is an integer; expected a bool");
  expect_error<IoError>([&] { static_cast<void>(file.attribute_as<std::string>("", "texts")); },
                        "it is a list of strings; expected a string");
}

template <typename T>
class Hdf5Numbers : public ::testing::Test {};
using NumberTypes = ::testing::Types<float, double, std::int32_t, std::int64_t, std::uint8_t>;
TYPED_TEST_SUITE(Hdf5Numbers, NumberTypes);

TYPED_TEST(Hdf5Numbers, ComeBackAsWritten) {
  const TempDir dir;
  const std::vector<TypeParam> values{std::numeric_limits<TypeParam>::max(),
                                      std::numeric_limits<TypeParam>::lowest(),
                                      std::numeric_limits<TypeParam>::min(),
                                      0,
                                      1,
                                      2};
  {
    auto file = Hdf5File::create(dir / "x.h5");
    file.write<TypeParam>("a/b/plain", values, {2, 3});
    file.write<TypeParam>("a/sum", values, {6}, Hdf5Storage::kChecksummed);
    file.write<TypeParam>("scalar", std::span(values).first(1), {}, Hdf5Storage::kChecksummed);
    file.write<TypeParam>("none", {}, {2, 0}, Hdf5Storage::kChecksummed);
    file.close();
  }
  const auto file = Hdf5File::open(dir / "x.h5");
  EXPECT_EQ(file.read<TypeParam>("a/b/plain").values, values);
  EXPECT_THAT(file.read<TypeParam>("a/b/plain").shape, ElementsAre(2, 3));
  EXPECT_EQ(file.read<TypeParam>("a/sum").values, values);
  EXPECT_TRUE(file.info("a/sum").checksummed);
  EXPECT_EQ(file.read<TypeParam>("scalar").values.at(0), values[0]);
  EXPECT_THAT(file.read<TypeParam>("none").shape, ElementsAre(2, 0));
  std::vector<TypeParam> out(6);
  file.read_into<TypeParam>("a/b/plain", out, {2, 3});
  EXPECT_EQ(out, values);
  expect_error<IoError>(
      [&] {
        file.read_into<TypeParam>("a/b/plain", out, {3, 2});
      },
      "its shape is \\(2, 3\\); expected \\(3, 2\\) into memory for 6 values");
}

TEST(Hdf5File, LargeChecksummedDatasetsAreCutIntoChunks) {
  const TempDir dir;
  std::vector<double> values(300'000);
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = static_cast<double>(i);
  auto file = Hdf5File::create(dir / "x.h5");
  file.write<double>("tall", values, {100'000, 3}, Hdf5Storage::kChecksummed);
  file.write<double>("wide", values, {2, 150'000}, Hdf5Storage::kChecksummed);
  EXPECT_EQ(file.read<double>("tall").values, values);
  EXPECT_EQ(file.read<double>("wide").values, values);
}

TEST(Hdf5File, FindsDamageInChecksummedData) {
  const TempDir dir;
  const std::vector<double> values(1000, 1.2345678);
  {
    auto file = Hdf5File::create(dir / "x.h5");
    file.write<double>("w", values, {1000}, Hdf5Storage::kChecksummed);
  }
  std::fstream raw(dir / "x.h5", std::ios::in | std::ios::out | std::ios::binary);
  std::string bytes((std::istreambuf_iterator<char>(raw)), {});
  const std::string_view pattern(reinterpret_cast<const char*>(values.data()), sizeof(double));
  const auto at = bytes.find(pattern);
  ASSERT_NE(at, std::string::npos);
  raw.seekp(static_cast<std::streamoff>(at + 4));
  raw.put(static_cast<char>(bytes[at + 4] ^ 1));
  raw.close();
  const auto file = Hdf5File::open(dir / "x.h5");
  expect_error<IoError>([&] { static_cast<void>(file.read<double>("w")); },
                        "x.h5: cannot read dataset 'w': .*[Ff]letcher32");
}

TEST(Hdf5File, AttributesComeBackAsWritten) {
  const TempDir dir;
  auto file = Hdf5File::create(dir / "x.h5");
  file.create_group("run/deep");
  file.write_attribute("run", "yes", true);
  file.write_attribute("run", "n", 3);
  file.write_attribute("run", "lr", 0.1);
  file.write_attribute("run", "name", "größe");
  file.write_attribute("run", "sizes", std::vector<Index>{1, 2});
  file.write_attribute("run", "rates", std::vector<double>{0.5});
  file.write_attribute("run", "words", std::vector<std::string>{"a", ""});
  file.write_attribute("run", "nothing", std::vector<double>{});
  EXPECT_EQ(file.attribute("run", "yes"), Hdf5Value(true));
  EXPECT_EQ(file.attribute("run", "n"), Hdf5Value(3));
  EXPECT_EQ(file.attribute("run", "lr"), Hdf5Value(0.1));
  EXPECT_EQ(file.attribute("run", "name"), Hdf5Value("größe"));
  EXPECT_EQ(file.attribute("run", "sizes"), Hdf5Value(std::vector<Index>{1, 2}));
  EXPECT_EQ(file.attribute("run", "rates"), Hdf5Value(std::vector<double>{0.5}));
  EXPECT_EQ(file.attribute("run", "words"), Hdf5Value(std::vector<std::string>{"a", ""}));
  EXPECT_EQ(file.attribute("run", "nothing"), Hdf5Value(std::vector<double>{}));
  file.write_attribute("run", "n", "replaced");
  EXPECT_EQ(file.attribute("run", "n"), Hdf5Value("replaced"));
  EXPECT_TRUE(file.has_attribute("run", "n"));
  EXPECT_FALSE(file.has_attribute("run", "m"));
  EXPECT_FALSE(file.has_attribute("walk", "n"));
  file.write_string("text", "");
  file.write_attribute("text", "of_a_dataset", 1);
  EXPECT_EQ(file.read_string("text"), "");
  expect_error<IoError>([&] { file.write_attribute("run", "zero", std::string(1, '\0')); },
                        "'run@zero': a string with a zero byte cannot be stored");
  expect_error<IoError>([&] { file.write_attribute("walk", "n", 1); },
                        "cannot write attributes of 'walk'");
}

TEST(Hdf5File, DatasetsGrowAndShrinkByRows) {
  const TempDir dir;
  {
    auto file = Hdf5File::create(dir / "m.h5");
    file.create_rows<double>("loss");
    file.create_rows<std::int64_t>("pairs", 2);
    for (int i = 0; i < 3000; ++i) file.append<double>("loss", std::vector<double>{i * 0.5});
    file.append<std::int64_t>("pairs", std::vector<std::int64_t>{1, 2, 3, 4});
    file.flush();
  }
  auto file = Hdf5File::open_to_change(dir / "m.h5");
  file.append<std::int64_t>("pairs", std::vector<std::int64_t>{5, 6});
  file.append<std::int64_t>("pairs", {});
  EXPECT_THAT(file.read<std::int64_t>("pairs").shape, ElementsAre(3, 2));
  EXPECT_THAT(copied<std::int64_t>(file, "pairs"), ElementsAre(1, 2, 3, 4, 5, 6));
  const auto loss = file.read<double>("loss");
  ASSERT_THAT(loss.shape, ElementsAre(3000));
  for (std::size_t i = 0; i < 3000; ++i) ASSERT_EQ(loss.values[i], static_cast<double>(i) * 0.5);
  EXPECT_TRUE(file.info("loss").checksummed);
  file.truncate("pairs", 1);
  file.append<std::int64_t>("pairs", std::vector<std::int64_t>{7, 8});
  EXPECT_THAT(copied<std::int64_t>(file, "pairs"), ElementsAre(1, 2, 7, 8));
  expect_error<IoError>([&] { file.truncate("pairs", 3); }, "3 rows were asked for; it has 2");
  expect_error<IoError>([&] { file.append<std::int64_t>("pairs", std::vector<std::int64_t>{1}); },
                        "1 values were given; expected a multiple of its width 2");
  expect_error<IoError>([&] { file.create_rows<float>("x", -1); }, "its width is -1; expected 0");
  file.write<double>("fixed", std::vector<double>{1}, {1});
  expect_error<IoError>([&] { file.append<double>("fixed", std::vector<double>{1}); },
                        "cannot append to dataset 'fixed': its shape \\(1\\) is fixed");
}

TEST(Hdf5File, RefusesImpossibleWrites) {
  const TempDir dir;
  auto file = Hdf5File::create(dir / "x.h5");
  const std::vector<float> two{1, 2};
  file.write<float>("a", two, {2});
  expect_error<IoError>([&] { file.write<float>("a", two, {2}); },
                        "x.h5: cannot write dataset 'a': the name is taken");
  expect_error<IoError>([&] { file.write<float>("a/b", two, {2}); },
                        "cannot write dataset 'a/b': ");
  expect_error<IoError>([&] { file.write<float>("b", two, {3}); },
                        "shape \\(3\\) has 3 elements, but 2 values were given");
  expect_error<IoError>(
      [&] {
        file.write<float>("b", two, {-1, -2});
      },
      "shape \\(-1, -2\\) is negative");
  expect_error<IoError>([&] { file.create_group("a"); }, "there is a dataset of that name");
  file.create_group("g");
  file.create_group("g");
  file.write_strings("words", {});
  EXPECT_THAT(file.read_strings("words"), IsEmpty());
  const auto reader = fixture();
  auto& read_only = const_cast<Hdf5File&>(reader);
  expect_error<IoError>([&] { read_only.write<float>("b", two, {2}); },
                        "cannot write dataset 'b': .*intent");
}

TEST(Hdf5File, SaysWhyAFileCannotBeOpened) {
  const TempDir dir;
  dir.write("text.h5", "not HDF5");
  dir.write("empty.h5", "");
  const auto open = [&](const char* name) { return [&dir, name] { Hdf5File::open(dir / name); }; };
  expect_error<IoError>(open("none.h5"), "none.h5: cannot open: there is no such file");
  expect_error<IoError>(open("text.h5"), "text.h5: cannot open: it is not an HDF5 file");
  expect_error<IoError>(open("empty.h5"), "empty.h5: cannot open: it is not an HDF5 file");
  expect_error<IoError>(open("."), "cannot open: it is a directory");
  expect_error<IoError>([&] { Hdf5File::create(dir / "no/x.h5"); },
                        "cannot create: there is no folder '.*/no'");
  expect_error<IoError>([&] { Hdf5File::create(dir.path()); }, "cannot create: it is a directory");
  {
    auto file = Hdf5File::create(dir / "cut.h5");
    file.write<double>("x", std::vector<double>(1000), {1000});
  }
  std::filesystem::resize_file(dir / "cut.h5", 4000);
  expect_error<IoError>(open("cut.h5"), "cut.h5: cannot open: truncated file");
}

TEST(Hdf5File, EqualContentsAreEqualBytes) {
  const TempDir dir;
  const auto bytes = [&](const char* name) {
    auto file = Hdf5File::create(dir / name);
    file.write<double>("g/x", std::vector<double>{1, 2}, {2}, Hdf5Storage::kChecksummed);
    file.write_attribute("g", "name", "text");
    file.close();
    std::ifstream in(dir / name, std::ios::binary);
    return std::string(std::istreambuf_iterator<char>(in), {});
  };
  EXPECT_EQ(bytes("a.h5"), bytes("b.h5"));
}

}  // namespace
}  // namespace tapehead
